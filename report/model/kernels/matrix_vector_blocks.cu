#include "lab.hpp"

// b = A v: one block sums one row, first in registers, then in shared memory.
constexpr int block_size = 128;

__global__ void row_of_a_block(const float* a, const float* v, float* b, int cols) {
  __shared__ float sums[block_size];
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += block_size) sum += a[size_t(blockIdx.x) * cols + col] * v[col];
  sums[threadIdx.x] = sum;
  for (int half = block_size / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) b[blockIdx.x] = sums[0];
}

void matrix_vector(const float* a, const float* v, float* b, int rows, int cols) {
  row_of_a_block<<<rows, block_size>>>(a, v, b, cols);
}
