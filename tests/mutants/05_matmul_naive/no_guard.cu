// expect: out_of_bounds | launch_error  diagnosis: missing_guard
// Threads outside c store too.
#include "lab.hpp"

constexpr int block_cols = 32;  // a warp owns 32 neighbouring columns of one row of c ...
constexpr int block_rows = 8;   // ... and a block eight such rows

// Each thread owns one element of c. It walks along a row of a and down a column of b, one product a step.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  const int col = blockIdx.x * block_cols + threadIdx.x;
  const int row = blockIdx.y * block_rows + threadIdx.y;

  float sum = 0;
  for (int k = 0; k < m; ++k) {
    // hazard: out_of_bounds
    sum += a[row * m + k] * b[k * p + col];
  }
  c[row * p + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const dim3 block(block_cols, block_rows);
  const dim3 grid((p + block_cols - 1) / block_cols, (n + block_rows - 1) / block_rows);
  matmul_kernel<<<grid, block>>>(a, b, c, n, m, p);
}
