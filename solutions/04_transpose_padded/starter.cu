#include "lab.hpp"

constexpr int tile = 32;       // one block transposes a tile of 32 x 32 elements ...
constexpr int block_rows = 8;  // ... with 32 x 8 threads, so each thread moves four elements
constexpr int width = tile;    // TODO: choose the length of a row of `shared` so that a column is in 32 different banks

// As in the shared transpose, a thread stores into row j of `shared` and reads from column j. Element (r, c) is in bank
// (r * width + c) % 32, and a warp is fast when its 32 elements are in 32 different banks.
__global__ void transpose_kernel(const int* in, int* out, int rows, int cols) {
  __shared__ int shared[tile][width];

  const int col = blockIdx.x * tile + threadIdx.x;
  const int first_row = blockIdx.y * tile;
  for (int j = threadIdx.y; j < tile; j += block_rows) {
    if (first_row + j < rows && col < cols) shared[j][threadIdx.x] = in[(first_row + j) * cols + col];
  }
  __syncthreads();  // a thread must not read what another warp has yet to store

  // The same tile of `out`: its columns are the rows of `in`.
  const int out_col = blockIdx.y * tile + threadIdx.x;
  const int first_out_row = blockIdx.x * tile;
  for (int j = threadIdx.y; j < tile; j += block_rows) {
    if (first_out_row + j < cols && out_col < rows) out[(first_out_row + j) * rows + out_col] = shared[threadIdx.x][j];
  }
}

void transpose(const int* in, int* out, int rows, int cols) {
  const dim3 block(tile, block_rows);
  const dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile);
  transpose_kernel<<<grid, block>>>(in, out, rows, cols);
}
