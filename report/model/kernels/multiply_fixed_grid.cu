#include "lab.hpp"

// A grid of a fixed number of blocks. Each thread moves float4, and strides over the rest.
constexpr int block_size = 256;
constexpr int blocks = 264;

__global__ void multiply_kernel(const float* a, const float* b, float* out, int n) {
  const auto* left = reinterpret_cast<const float4*>(a);
  const auto* right = reinterpret_cast<const float4*>(b);
  auto* to = reinterpret_cast<float4*>(out);
  const int step = gridDim.x * block_size, first = blockIdx.x * block_size + threadIdx.x;
  for (int i = first; i < n / 4; i += step) {
    const float4 x = left[i], y = right[i];
    to[i] = make_float4(x.x * y.x, x.y * y.y, x.z * y.z, x.w * y.w);
  }
  for (int i = n / 4 * 4 + first; i < n; i += step) out[i] = a[i] * b[i];
}

void multiply(const float* a, const float* b, float* out, int n) {
  multiply_kernel<<<blocks, block_size>>>(a, b, out, n);
}
