#include "lab.hpp"

constexpr int tile = 32;       // one block covers a tile of 32 x 32 elements ...
constexpr int block_rows = 8;  // ... with 32 x 8 threads, so each thread moves four elements

// Thread (x, y) of a block owns column x of the tile and its rows y, y + 8, y + 16 and y + 24.
__global__ void transpose_kernel(const int* in, int* out, int rows, int cols) {
  const int col = blockIdx.x * tile + threadIdx.x;
  const int first_row = blockIdx.y * tile + threadIdx.y;

  for (int row = first_row; row < first_row + tile; row += block_rows) {
    // TODO: if (row, col) is inside the matrix, copy it to its place in `out`.
  }
}

void transpose(const int* in, int* out, int rows, int cols) {
  const dim3 block(tile, block_rows);
  const dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile);
  transpose_kernel<<<grid, block>>>(in, out, rows, cols);
}

// The reverse: thread (x, y) owns row x of the tile and its columns y, y + 8, y + 16 and y + 24.
__global__ void coalesced_stores_kernel(const int* in, int* out, int rows, int cols) {
  // TODO: compute this thread's row from blockIdx.y and threadIdx.x, and its first column from the other two indices.
  // TODO: loop over the thread's four columns, and copy each element that is inside the matrix.
}

void transpose_coalesced_stores(const int* in, int* out, int rows, int cols) {
  const dim3 block(tile, block_rows);
  const dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile);
  coalesced_stores_kernel<<<grid, block>>>(in, out, rows, cols);
}
