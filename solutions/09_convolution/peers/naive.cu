#include "lab.hpp"

constexpr int block_size = 256;

// Each thread owns one output and loads its p inputs, and the whole filter, from global memory.
__global__ void line_kernel(const float* in, const float* filter, float* out, int n, int p) {
  const int i = blockIdx.x * block_size + threadIdx.x;
  if (i >= n - p + 1) return;
  float sum = 0;
  for (int u = 0; u < p; ++u) sum += filter[u] * in[i + u];
  out[i] = sum;
}

void convolve_line(const float* in, const float* filter, float* out, int n, int p) {
  line_kernel<<<(n - p) / block_size + 1, block_size>>>(in, filter, out, n, p);
}

// Each thread owns one output and loads its p x q inputs, and the whole filter, from global memory.
__global__ void convolve_kernel(const float* in, const float* filter, float* out, int m, int p, int q, int stride,
                                int out_rows, int out_cols) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size_t(out_rows) * out_cols) return;

  const float* corner = in + i / out_cols * stride * m + i % out_cols * stride;
  float sum = 0;
  for (int u = 0; u < p; ++u) {
    for (int v = 0; v < q; ++v) sum += filter[u * q + v] * corner[size_t(u) * m + v];
  }
  out[i] = sum;
}

void convolve(const float* in, const float* filter, float* out, int n, int m, int p, int q, int stride) {
  const int out_rows = (n - p) / stride + 1, out_cols = (m - q) / stride + 1;
  const unsigned blocks = (size_t(out_rows) * out_cols - 1) / block_size + 1;
  convolve_kernel<<<blocks, block_size>>>(in, filter, out, m, p, q, stride, out_rows, out_cols);
}
