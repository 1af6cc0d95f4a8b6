#pragma once

// out[i] is the square of the distance from point i to the nearest of m other points. Device pointers.
void nearest(const float* x, const float* y, const float* to_x, const float* to_y, float* out, int n, int m);
