#pragma once

constexpr int longest_filter = 129;  // of convolve_line

// out[i] = sum of filter[u] * in[i + u] over u < p, where the filter fits inside: `in` has n elements, `filter` p and
// `out` n - p + 1; 1 <= p <= longest_filter.  Device pointers.
void convolve_line(const float* in, const float* filter, float* out, int n, int p);

// out[i][j] = sum of filter[u][v] * in[i * stride + u][j * stride + v] over u < p, v < q, where the filter fits inside:
// `in` has n x m elements, `filter` p x q, `out` ((n - p) / stride + 1) x ((m - q) / stride + 1), all row-major.
// Device pointers.
void convolve(const float* in, const float* filter, float* out, int n, int m, int p, int q, int stride);
