#include <cstdint>

#include "lab.hpp"

// The padded transpose at the limit of the memory: one block moves a tile of 64 x 64 elements, and every global and
// shared access is 16 bytes wide, so that a quarter of the instructions keep four times the bytes in flight.

constexpr int tile = 64;
constexpr int vector = 4;             // elements in an int4
constexpr int lanes = tile / vector;  // 16 threads cover one row of the tile

// A 4 x 4 block in the registers of one thread: a[i] is row i before, column i after.
__device__ void transpose_registers(const int4 (&a)[vector], int4 (&b)[vector]) {
  b[0] = make_int4(a[0].x, a[1].x, a[2].x, a[3].x);
  b[1] = make_int4(a[0].y, a[1].y, a[2].y, a[3].y);
  b[2] = make_int4(a[0].z, a[1].z, a[2].z, a[3].z);
  b[3] = make_int4(a[0].w, a[1].w, a[2].w, a[3].w);
}

// Thread (x, y) of 16 x 16 reads rows 4y .. 4y + 3 at columns 4x .. 4x + 3, turns that 4 x 4 block in its registers,
// and writes output rows 4y .. 4y + 3 at columns 4x .. 4x + 3. Both sizes must be multiples of 4. Blocks that run at
// the same time have neighbouring blockIdx.x. Here these lie below one another in `in`, so that what they store lies
// side by side in the rows of `out`: memory likes scattered stores even less than scattered loads. Instead of padding,
// which would misalign 16-byte accesses, the place of a vector in its row of the shared tile is XORed with the row's
// number divided by four: the eight lanes of a quarter-warp then hit eight different groups of four banks.
__global__ void __launch_bounds__(lanes* lanes)
    transpose_vectors(const int* __restrict__ in, int* __restrict__ out, int rows, int cols) {
  __shared__ int4 turned[tile][lanes];
  const int x = threadIdx.x, y = threadIdx.y;

  int4 a[vector], b[vector];
  const int col = blockIdx.y * tile + vector * x, row = blockIdx.x * tile + vector * y;
  if (col < cols && row < rows) {
    for (int i = 0; i < vector; ++i) a[i] = *reinterpret_cast<const int4*>(in + std::int64_t(row + i) * cols + col);
    transpose_registers(a, b);
    for (int i = 0; i < vector; ++i) turned[vector * x + i][y ^ x] = b[i];
  }
  __syncthreads();

  const int out_col = blockIdx.x * tile + vector * x, out_row = blockIdx.y * tile + vector * y;
  if (out_col < rows && out_row < cols)
    for (int i = 0; i < vector; ++i)
      *reinterpret_cast<int4*>(out + std::int64_t(out_row + i) * rows + out_col) = turned[vector * y + i][x ^ y];
}

// For sizes that are no multiple of four: the padded kernel of the lab.
__global__ void transpose_scalars(const int* in, int* out, int rows, int cols) {
  constexpr int side = 32, block_rows = 8;
  __shared__ int shared[side][side + 1];
  const int col = blockIdx.x * side + threadIdx.x, first_row = blockIdx.y * side;
  for (int j = threadIdx.y; j < side; j += block_rows)
    if (col < cols && first_row + j < rows) shared[j][threadIdx.x] = in[std::int64_t(first_row + j) * cols + col];
  __syncthreads();

  const int out_col = first_row + threadIdx.x, first_out_row = blockIdx.x * side;
  for (int j = threadIdx.y; j < side; j += block_rows)
    if (out_col < rows && first_out_row + j < cols)
      out[std::int64_t(first_out_row + j) * rows + out_col] = shared[threadIdx.x][j];
}

void transpose(const int* in, int* out, int rows, int cols) {
  if (rows % vector == 0 && cols % vector == 0) {
    const dim3 grid((rows + tile - 1) / tile, (cols + tile - 1) / tile);
    transpose_vectors<<<grid, dim3(lanes, lanes)>>>(in, out, rows, cols);
  } else {
    const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
    transpose_scalars<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
  }
}
