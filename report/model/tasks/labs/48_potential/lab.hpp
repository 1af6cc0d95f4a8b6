#pragma once

// out[i] = sum of charge[j] / sqrt(distance(i, j)^2 + 0.01) over n points. x, y and charge have n numbers. Device
// pointers.
void potential(const float* x, const float* y, const float* charge, float* out, int n);
