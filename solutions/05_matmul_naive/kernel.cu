#include "lab.hpp"

constexpr int lanes = 32;  // threadIdx.x counts the lanes of a warp ...
constexpr int warps = 8;   // ... and threadIdx.y the eight warps of a block

// What one thread does: it computes element (row, col) of c. A __device__ function runs on the GPU, and kernels call it.
__device__ void compute_element(const float* a, const float* b, float* c, int n, int m, int p, int row, int col) {
  if (row >= n || col >= p) return;  // the blocks at the edges are larger than what is left of c

  float sum = 0;
  for (int k = 0; k < m; ++k) {
    sum += a[row * m + k] * b[k * p + col];
  }
  c[row * p + col] = sum;
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
  const int col = blockIdx.x * lanes + threadIdx.x;
  const int row = blockIdx.y * warps + threadIdx.y;
  compute_element(a, b, c, n, m, p, row, col);
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const dim3 block(lanes, warps);
  const dim3 grid((p + lanes - 1) / lanes, (n + warps - 1) / warps);
  matmul_kernel<<<grid, block>>>(a, b, c, n, m, p);
}
