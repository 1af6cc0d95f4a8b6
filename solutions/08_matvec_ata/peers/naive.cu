#include "lab.hpp"

// Each thread owns a row: at every step a warp reads 32 elements that are `cols` apart.
__global__ void rows_kernel(const float* a, const float* v, float* b, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int col = 0; col < cols; ++col) sum += a[size_t(row) * cols + col] * v[col];
  b[row] = sum;
}

// Each thread owns a column: at every step a warp reads 32 neighbours.
__global__ void columns_kernel(const float* a, const float* b, float* c, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  float sum = 0;
  for (int row = 0; row < rows; ++row) sum += a[size_t(row) * cols + col] * b[row];
  c[col] = sum;
}

constexpr int block_size = 256;

void matrix_vector(const float* a, const float* v, float* b, int rows, int cols) {
  rows_kernel<<<(rows - 1) / block_size + 1, block_size>>>(a, v, b, rows, cols);
}

void transpose_vector(const float* a, const float* b, float* c, int rows, int cols) {
  columns_kernel<<<(cols - 1) / block_size + 1, block_size>>>(a, b, c, rows, cols);
}

void ata_vector(const float* a, const float* v, float* b, float* c, int rows, int cols) {
  matrix_vector(a, v, b, rows, cols);
  transpose_vector(a, b, c, rows, cols);
}
