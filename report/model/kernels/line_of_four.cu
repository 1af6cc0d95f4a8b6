#include "lab.hpp"

// Each thread computes neighboring outputs of the convolution and keeps the inputs of its window in registers.
constexpr int block_size = 128;
constexpr int outputs = 4;

__global__ void line_kernel(const float* in, const float* filter, float* out, int n, int p) {
  const int first = (blockIdx.x * block_size + threadIdx.x) * outputs, count = n - p + 1;
  float sums[outputs] = {};
  for (int u = 0; u < p; ++u) {
    const float weight = filter[u];
    for (int k = 0; k < outputs; ++k)
      if (first + k < count) sums[k] += weight * in[first + k + u];
  }
  for (int k = 0; k < outputs; ++k)
    if (first + k < count) out[first + k] = sums[k];
}

void convolve_line(const float* in, const float* filter, float* out, int n, int p) {
  constexpr int per_block = block_size * outputs;
  line_kernel<<<(n - p) / per_block + 1, block_size>>>(in, filter, out, n, p);
}
