#include "lab.hpp"

constexpr int side = 16;              // a block has 16 x 16 threads ...
constexpr int outputs = 4;            // ... and each of them computes 4 x 4 elements of c,
constexpr int tile = side * outputs;  // so that the block owns 64 x 64
constexpr int depth = 16;             // of the tiles of a and b along their common dimension

// A thread owns every 16th row and every 16th column of its block's tile of c, beginning with threadIdx.y and
// threadIdx.x: neighbouring threads read and store neighbouring columns. For each k it reads 4 + 4 numbers and uses
// each four times.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  // The tile of a is transposed: one k is one row, as in b_tile. With two columns more, the 16 x 2 stores of a warp are
  // in 32 different banks.
  __shared__ float a_tile[depth][tile + 2];
  __shared__ float b_tile[depth][tile];

  const int first_row = blockIdx.y * tile;
  const int first_col = blockIdx.x * tile;
  const int thread = threadIdx.y * side + threadIdx.x;

  float sums[outputs][outputs] = {};
  for (int first = 0; first < m; first += depth) {
    // 16 successive threads read 16 successive elements of a row of a, 64 threads a row of 64 elements of b.
    for (int i = thread; i < tile * depth; i += side * side) {
      const int row = first_row + i / depth;
      const int k = first + i % depth;
      a_tile[i % depth][i / depth] = row < n && k < m ? a[row * m + k] : 0;
    }
    for (int i = thread; i < depth * tile; i += side * side) {
      const int k = first + i / tile;
      const int col = first_col + i % tile;
      b_tile[i / tile][i % tile] = k < m && col < p ? b[k * p + col] : 0;
    }
    __syncthreads();  // no thread reads the tiles before they are complete

    for (int k = 0; k < depth; ++k) {
      float from_a[outputs], from_b[outputs];  // in registers
      for (int i = 0; i < outputs; ++i) from_a[i] = a_tile[k][threadIdx.y + i * side];
      for (int j = 0; j < outputs; ++j) from_b[j] = b_tile[k][threadIdx.x + j * side];
      for (int i = 0; i < outputs; ++i) {
        for (int j = 0; j < outputs; ++j) sums[i][j] += from_a[i] * from_b[j];
      }
    }
    __syncthreads();  // no thread overwrites them while another reads
  }

  for (int i = 0; i < outputs; ++i) {
    for (int j = 0; j < outputs; ++j) {
      const int row = first_row + threadIdx.y + i * side;
      const int col = first_col + threadIdx.x + j * side;
      if (row < n && col < p) c[row * p + col] = sums[i][j];
    }
  }
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const dim3 block(side, side);
  const dim3 grid((p + tile - 1) / tile, (n + tile - 1) / tile);
  matmul_kernel<<<grid, block>>>(a, b, c, n, m, p);
}
