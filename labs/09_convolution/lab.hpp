#pragma once

// out[i][j] = sum of filter[u][v] * in[i * stride + u][j * stride + v] over u < p, v < q, where the filter fits inside:
// `in` has n x m elements, `filter` p x q, `out` ((n - p) / stride + 1) x ((m - q) / stride + 1), all row-major.
// Device pointers.
void convolve(const float* in, const float* filter, float* out, int n, int m, int p, int q, int stride);
