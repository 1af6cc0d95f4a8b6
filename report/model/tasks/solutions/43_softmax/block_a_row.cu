#include "lab.hpp"

// A block computes one row, with trees in shared memory.
constexpr int block_size = 128;

__device__ float all_of(float* parts, float value, bool largest) {
  __syncthreads();
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = block_size / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const float a = parts[threadIdx.x], b = parts[threadIdx.x + half];
      parts[threadIdx.x] = largest ? fmaxf(a, b) : a + b;
    }
    __syncthreads();
  }
  return parts[0];
}

__global__ void softmax_kernel(const float* in, float* out, int cols) {
  __shared__ float parts[block_size];
  const float* from = in + size_t(blockIdx.x) * cols;
  float most = -1e30f, sum = 0;
  for (int c = threadIdx.x; c < cols; c += block_size) most = fmaxf(most, from[c]);
  most = all_of(parts, most, true);
  for (int c = threadIdx.x; c < cols; c += block_size) sum += expf(from[c] - most);
  sum = all_of(parts, sum, false);
  for (int c = threadIdx.x; c < cols; c += block_size) out[size_t(blockIdx.x) * cols + c] = expf(from[c] - most) / sum;
}

void softmax(const float* in, float* out, int rows, int cols) {
  softmax_kernel<<<rows, block_size>>>(in, out, cols);
}
