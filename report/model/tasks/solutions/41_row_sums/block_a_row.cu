#include "lab.hpp"

// A block adds up one row; a tree in shared memory adds up its threads' sums.
constexpr int block_size = 256;

__global__ void row_sums_kernel(const float* a, float* sums, int rows, int cols) {
  __shared__ float parts[block_size];
  const float* row = a + size_t(blockIdx.x) * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += block_size) sum += row[c];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = block_size / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}

void row_sums(const float* a, float* sums, int rows, int cols) {
  row_sums_kernel<<<rows, block_size>>>(a, sums, rows, cols);
}
