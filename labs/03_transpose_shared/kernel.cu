#include "lab.hpp"

constexpr int tile = 32;       // one block transposes a tile of 32 x 32 elements ...
constexpr int block_rows = 8;  // ... with 32 x 8 threads, so each thread moves four elements

// Thread (x, y) reads rows y, y + 8, y + 16 and y + 24 of the tile at column x: a warp reads 32 neighbours. After the
// barrier it writes the same rows of the transposed tile, again 32 neighbours: the turn happens in shared memory.
__global__ void transpose_kernel(const int* in, int* out, int rows, int cols) {
  __shared__ int shared[tile][tile];

  const int col = blockIdx.x * tile + threadIdx.x;
  const int first_row = blockIdx.y * tile;
  for (int j = threadIdx.y; j < tile; j += block_rows) {
    if (first_row + j < rows && col < cols) shared[j][threadIdx.x] = in[(first_row + j) * cols + col];
  }
  // TODO: wait until every thread of the block has stored its elements.

  // The same tile of `out`: its columns are the rows of `in`.
  const int out_col = blockIdx.y * tile + threadIdx.x;
  const int first_out_row = blockIdx.x * tile;
  for (int j = threadIdx.y; j < tile; j += block_rows) {
    // TODO: if row first_out_row + j and column out_col are inside `out`, store the element of `shared` that belongs there.
  }
}

void transpose(const int* in, int* out, int rows, int cols) {
  const dim3 block(tile, block_rows);
  const dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile);
  transpose_kernel<<<grid, block>>>(in, out, rows, cols);
}
