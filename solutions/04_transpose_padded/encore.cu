#include <cstdint>

#include "lab.hpp"

// The padded transpose at the limit of the memory: every global and shared access is 16 bytes wide, so that a quarter
// of the instructions keep four times the bytes in flight.

constexpr int vector = 4;  // elements in an int4

// A 4 x 4 block in the registers of one thread: a[i] is row i before, column i after.
__device__ void transpose_registers(const int4 (&a)[vector], int4 (&b)[vector]) {
  b[0] = make_int4(a[0].x, a[1].x, a[2].x, a[3].x);
  b[1] = make_int4(a[0].y, a[1].y, a[2].y, a[3].y);
  b[2] = make_int4(a[0].z, a[1].z, a[2].z, a[3].z);
  b[3] = make_int4(a[0].w, a[1].w, a[2].w, a[3].w);
}

// Where L2 misses, it fetches 256 bytes from memory for this load, and not only the 32 that the load needs of them.
__device__ int4 load_ahead(const int* from) {
#if __has_include(<lab_sim.h>) || __CUDA_ARCH__ < 800  // the CPU simulator knows no PTX, and a T4 not this load
  return *reinterpret_cast<const int4*>(from);
#else
  int4 v;
  asm("ld.global.L2::256B.v4.s32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
  return v;
#endif
}

template <bool ahead>
__device__ int4 load(const int* from) {
  if constexpr (ahead) return load_ahead(from);
  return *reinterpret_cast<const int4*>(from);
}

constexpr int threads_for(int high, int wide) { return high * wide / (vector * vector); }

// A block moves a tile of high x wide elements, and a thread 16 of them: it reads a block of 4 x 4, turns it in its
// registers, and writes one of the output's. Both sizes must be multiples of 4. Blocks that run at the same time have
// neighbouring blockIdx.x. Here these lie below one another in `in`, so that what they store lies side by side in the
// rows of `out`: memory likes scattered stores even less than scattered loads. Instead of padding, which would misalign
// 16-byte accesses, the place of a vector in its row of the shared tile is XORed with the row's number divided by four:
// the eight lanes of a quarter-warp then hit eight different groups of four banks.
template <int high, int wide, bool ahead>
__global__ void __launch_bounds__(threads_for(high, wide))
    transpose_vectors(const int* __restrict__ in, int* __restrict__ out, int rows, int cols) {
  constexpr int across = wide / vector, down = high / vector;  // vectors in a row of the tile, before and after
  __shared__ int4 transposed[wide][down];
  const int x = threadIdx.x % across, y = threadIdx.x / across;

  int4 a[vector], b[vector];
  const int col = blockIdx.y * wide + vector * x, row = blockIdx.x * high + vector * y;
  if (col < cols && row < rows) {
    for (int i = 0; i < vector; ++i) a[i] = load<ahead>(in + std::int64_t(row + i) * cols + col);
    transpose_registers(a, b);
    for (int i = 0; i < vector; ++i) transposed[vector * x + i][y ^ (x % 8)] = b[i];
  }
  __syncthreads();

  const int out_x = threadIdx.x % down, out_y = threadIdx.x / down;
  const int out_col = blockIdx.x * high + vector * out_x, out_row = blockIdx.y * wide + vector * out_y;
  if (out_col < rows && out_row < cols)
    for (int i = 0; i < vector; ++i)
      *reinterpret_cast<int4*>(out + std::int64_t(out_row + i) * rows + out_col) =
          transposed[vector * out_y + i][out_x ^ (out_y % 8)];
}

template <int high, int wide, bool ahead>
static void launch(const int* in, int* out, int rows, int cols) {
  const dim3 grid((rows + high - 1) / high, (cols + wide - 1) / wide);
  transpose_vectors<high, wide, ahead><<<grid, threads_for(high, wide)>>>(in, out, rows, cols);
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

constexpr int line = 32;                           // elements in a line of L2
constexpr int most_columns = 65'535 * line;        // of tiles so narrow: more blocks a grid cannot have in y
constexpr std::int64_t large = 256 * 1024 * 1024;  // elements; at 2000 x 5000 tall tiles took longer

// Where rows of `in` begin in the middle of a line, a tile's edge cuts lines in two, and memory delivers halves at
// different times for almost the price of the whole. There a tile is as wide as a line, and what is fetched ahead is
// read by the blocks of the next column of tiles; it is tall, so that these come soon.
void transpose(const int* in, int* out, int rows, int cols) {
  if (rows % vector != 0 || cols % vector != 0) {
    const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
    transpose_scalars<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
  } else if (cols % line != 0 && cols <= most_columns && std::int64_t(rows) * cols >= large) {
    launch<320, line, true>(in, out, rows, cols);
  } else {
    launch<64, 64, false>(in, out, rows, cols);
  }
}
