#include "lab.hpp"

constexpr int lanes = 32;  // threadIdx.x counts the lanes of a warp ...
constexpr int warps = 8;   // ... and threadIdx.y the eight warps of a block

// What one thread does: it computes element (row, col) of c. A __device__ function runs on the GPU, and kernels call it.
__device__ void compute_element(const float* a, const float* b, float* c, int n, int m, int p, int row, int col) {
  // TODO: the blocks at the edges are larger than what is left of c: return if row or col is outside.

  float sum = 0;
  for (int k = 0; k < m; ++k) {
    // TODO: add the product of element k of this row of a and element k of this column of b.
  }
  // TODO: store the sum in c.
}

// Stage 1: x counts rows and y counts columns, so a warp owns 32 rows of one column of c.
__global__ void uncoalesced_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  const int row = blockIdx.x * lanes + threadIdx.x;
  const int col = blockIdx.y * warps + threadIdx.y;
  compute_element(a, b, c, n, m, p, row, col);
}

void matmul_uncoalesced(const float* a, const float* b, float* c, int n, int m, int p) {
  const dim3 block(lanes, warps);
  const dim3 grid((n + lanes - 1) / lanes, (p + warps - 1) / warps);
  uncoalesced_kernel<<<grid, block>>>(a, b, c, n, m, p);
}

// Stage 2: x counts columns and y counts rows, so a warp owns 32 neighbouring elements of one row of c.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  const int row = blockIdx.x * lanes + threadIdx.x;  // TODO: this is stage 1's mapping. Let x count columns,
  const int col = blockIdx.y * warps + threadIdx.y;  // TODO: and y count rows, here and in the grid below.
  compute_element(a, b, c, n, m, p, row, col);
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const dim3 block(lanes, warps);
  const dim3 grid((n + lanes - 1) / lanes, (p + warps - 1) / warps);  // TODO: x covers p columns, y covers n rows.
  matmul_kernel<<<grid, block>>>(a, b, c, n, m, p);
}
