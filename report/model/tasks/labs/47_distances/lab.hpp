#pragma once

// d[i][j] = squared distance of point i of x (n points) and point j of y (p points), of m coordinates each. Coordinates
// of one dimension are neighbors: x has m rows of n numbers, y m rows of p. Device pointers.
void distances(const float* x, const float* y, float* d, int n, int m, int p);
