#include "lab.hpp"

constexpr int tile = 32;  // a block owns a tile of 32 x 32 elements of c, one element a thread

// The block moves along its rows of a and down its columns of b, a tile at a time. Each thread copies one element of
// each tile to shared memory; then every element of the two tiles is used by 32 threads.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];

  const int col = blockIdx.x * tile + threadIdx.x;
  const int row = blockIdx.y * tile + threadIdx.y;

  float sum = 0;
  for (int first = 0; first < m; first += tile) {
    // The tiles at the edges reach beyond the matrices. A zero there adds nothing to any sum.
    const int a_col = first + threadIdx.x;
    const int b_row = first + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < n && a_col < m ? a[row * m + a_col] : 0;
    // TODO: the same for b_tile, from row b_row and column `col` of b. Then wait until both tiles are there.

    // TODO: add the products of this thread's row of a_tile and its column of b_tile.
    // TODO: the next round overwrites the tiles. Is every thread done with them?
  }
  if (row < n && col < p) c[row * p + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const dim3 block(tile, tile);
  const dim3 grid((p + tile - 1) / tile, (n + tile - 1) / tile);
  matmul_kernel<<<grid, block>>>(a, b, c, n, m, p);
}
