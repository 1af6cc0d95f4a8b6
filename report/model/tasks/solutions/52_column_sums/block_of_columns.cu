#include "lab.hpp"

// A block adds up `wide` neighboring columns. Each of its `high` rows of threads adds up every high-th element of them.
constexpr int wide = 32, high = 8;

__global__ void column_sums_kernel(const float* a, float* sums, int rows, int cols) {
  __shared__ float parts[high][wide];
  const int col = blockIdx.x * wide + threadIdx.x;
  float sum = 0;
  if (col < cols)
    for (int row = threadIdx.y; row < rows; row += high) sum += a[size_t(row) * cols + col];
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || col >= cols) return;
  for (int y = 1; y < high; ++y) sum += parts[y][threadIdx.x];
  sums[col] = sum;
}

void column_sums(const float* a, float* sums, int rows, int cols) {
  column_sums_kernel<<<(cols - 1) / wide + 1, dim3(wide, high)>>>(a, sums, rows, cols);
}
