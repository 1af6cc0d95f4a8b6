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

// For sizes that are no multiple of four, and pointers that are no multiple of 16 bytes: the padded kernel of the lab with
// larger tiles, all of whose loads a thread begins before the first store. Here, too, neighbouring blocks lie below one
// another; the grid has one dimension, because y ends at 65,535.
template <int high, int wide, int threads>
__global__ void __launch_bounds__(threads)
    transpose_scalars(const int* __restrict__ in, int* __restrict__ out, int rows, int cols) {
  constexpr int each = high * wide / threads;  // elements of a thread
  __shared__ int shared[high][wide + 1];
  const unsigned down_tiles = (rows - 1u) / high + 1;
  const int tile_row = blockIdx.x % down_tiles, tile_col = blockIdx.x / down_tiles;
  const int x = threadIdx.x % wide, y = threadIdx.x / wide;
  const int col = tile_col * wide + x, row = tile_row * high + y;
  int moved[each];
#pragma unroll
  for (int i = 0; i < each; ++i) {
    const int down = i * (threads / wide);
    if (col < cols && row + down < rows) moved[i] = in[std::int64_t(row + down) * cols + col];
  }
#pragma unroll
  for (int i = 0; i < each; ++i) shared[y + i * (threads / wide)][x] = moved[i];
  __syncthreads();

  const int out_x = threadIdx.x % high, out_y = threadIdx.x / high;
  const int out_col = tile_row * high + out_x, out_row = tile_col * wide + out_y;
#pragma unroll
  for (int i = 0; i < each; ++i) {
    const int down = i * (threads / high);
    if (out_col < rows && out_row + down < cols)
      out[std::int64_t(out_row + down) * rows + out_col] = shared[out_x][out_y + down];
  }
}

constexpr int thin = 16;            // rows or columns of a thin matrix, at most
constexpr int thin_length = 256;    // of its pieces, along the other dimension
constexpr int thin_threads = 256;

// A thin matrix is one run of memory on its thin side: a block copies 256 columns of all rows, and what it stores are
// 256 x rows neighbours in `out`. `long_rows` says whether `in` is the wide one; else it reads a run and stores columns.
template <bool long_rows>
__global__ void __launch_bounds__(thin_threads) transpose_thin(const int* __restrict__ in, int* __restrict__ out,
                                                               int height, int length) {
  __shared__ int piece[thin][thin_length + 1];
  const std::int64_t first = std::int64_t(blockIdx.x) * thin_length;
  const int here = min(std::int64_t{thin_length}, length - first);
  if (long_rows && threadIdx.x < here)
    for (int r = 0; r < height; ++r) piece[r][threadIdx.x] = in[std::int64_t(r) * length + first + threadIdx.x];
  // Element i of the run is (i / height, i % height); from one of a thread to its next, both grow by a constant.
  const int more_places = thin_threads / height, more_rows = thin_threads % height;
  int at = threadIdx.x / height, r = threadIdx.x % height;
  if (long_rows) __syncthreads();
  for (int i = threadIdx.x; i < here * height; i += thin_threads) {
    if (long_rows)
      out[first * height + i] = piece[r][at];
    else
      piece[r][at] = in[first * height + i];
    at += more_places, r += more_rows;
    if (r >= height) r -= height, ++at;
  }
  if (!long_rows) {
    __syncthreads();
    if (threadIdx.x < here)
      for (int k = 0; k < height; ++k) out[std::int64_t(k) * length + first + threadIdx.x] = piece[k][threadIdx.x];
  }
}

// For few rows, which are short columns of `out`: a warp stores 32 of them, and no thread waits at a barrier.
constexpr int few_rows = 8, few_columns = 32 * 1024;

__global__ void __launch_bounds__(32 * few_rows)
    transpose_few_rows(const int* __restrict__ in, int* __restrict__ out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = threadIdx.y;
  if (col < cols) out[col * rows + row] = in[row * cols + col];
}

static unsigned tiles(int rows, int cols, int high, int wide) {
  return ((rows - 1u) / high + 1) * ((cols - 1u) / wide + 1);
}

constexpr int side = 64;                           // of the usual tile
constexpr int line = 32;                           // elements in a line of L2
constexpr int most_tiles = 65'535;                 // a grid cannot have more blocks in y
constexpr std::int64_t large = 256 * 1024 * 1024;  // elements; at 2000 x 5000 tall tiles took longer
constexpr std::int64_t few = 16 * 1024 * 1024;     // elements; of fewer, small tiles took 0.8 to 0.95 of the time

static void transpose_unaligned(const int* in, int* out, int rows, int cols) {
  if (std::int64_t(rows) * cols < few)
    transpose_scalars<32, 32, 256><<<tiles(rows, cols, 32, 32), 256>>>(in, out, rows, cols);
  else
    transpose_scalars<128, 64, 512><<<tiles(rows, cols, 128, 64), 512>>>(in, out, rows, cols);
}

// Where rows of `in` begin in the middle of a line, a tile's edge cuts lines in two, and memory delivers halves at
// different times for almost the price of the whole. There a tile is as wide as a line, and what is fetched ahead is
// read by the blocks of the next column of tiles; it is tall, so that these come soon.
void transpose(const int* in, int* out, int rows, int cols) {
  const auto address = reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out);
  const bool long_rows = rows < cols;
  const int height = long_rows ? rows : cols, length = long_rows ? cols : rows;
  if (rows <= few_rows && cols <= few_columns)
    transpose_few_rows<<<(cols - 1) / 32 + 1, dim3(32, rows)>>>(in, out, rows, cols);
  else if (height <= thin && length > 16 * thin_length * height)  // of fewer and higher pieces too few are on their way
    (long_rows ? transpose_thin<true> : transpose_thin<false>)<<<(length - 1) / thin_length + 1, thin_threads>>>(
        in, out, height, length);
  else if (rows % vector != 0 || cols % vector != 0 || address % sizeof(int4) != 0 || cols > most_tiles * side)
    transpose_unaligned(in, out, rows, cols);
  else if (cols % line != 0 && cols <= most_tiles * line && std::int64_t(rows) * cols >= large)
    launch<320, line, true>(in, out, rows, cols);
  else
    launch<side, side, false>(in, out, rows, cols);
}
