#include "lab.hpp"

// A thread adds up one column.
constexpr int block_size = 128;

__global__ void column_sums_kernel(const float* a, float* sums, int rows, int cols) {
  const int col = blockIdx.x * block_size + threadIdx.x;
  if (col >= cols) return;
  float sum = 0;
  for (int row = 0; row < rows; ++row) sum += a[size_t(row) * cols + col];
  sums[col] = sum;
}

void column_sums(const float* a, float* sums, int rows, int cols) {
  column_sums_kernel<<<(cols - 1) / block_size + 1, block_size>>>(a, sums, rows, cols);
}
