#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <bit>

#include "../device/few_tiles.hpp"

// Tiles of one to six warps, for rows that begin anywhere, on every GPU: all threads copy, and all multiply. Nothing
// is prepared: no transposed a, no copy with longer rows. Several blocks may share a tile along the common dimension.
namespace middle_tiles {

using few_tiles::shape;

constexpr int depth = 16, stages = 3;      // of the tiles along the common dimension; pairs of tiles in shared memory
constexpr int thread_rows = 8;             // of c, in patches of four
constexpr int shared_memory = 227 * 1024;  // bytes of a multiprocessor; each block takes a kilobyte more than its own

// A block's tile of c: its warps below and beside each other, how many columns a thread has, in patches of four and
// one of two, and how many rows of lanes a warp. Warps of 4 rows of lanes have 32 x 32, 32 x 64 or 32 x 80 elements, of
// 8 rows 64 x 32.
template <int warp_rows_, int warp_cols_, int thread_cols_ = 8, int lane_rows_ = 4,
          int warps_at_a_time_ = thread_cols_ == 10 ? 12 : 16>
struct tile {
  static constexpr int lane_rows = lane_rows_, lane_cols = 32 / lane_rows;
  static constexpr int warp_rows = warp_rows_, warp_cols = warp_cols_, warps = warp_rows * warp_cols;
  static constexpr int thread_cols = thread_cols_, in_fours = thread_cols / 4 * 4, rest = thread_cols - in_fours;
  static constexpr int rows = warp_rows * thread_rows * lane_rows, cols = warp_cols * thread_cols * lane_cols;
  static constexpr int threads = 32 * warps;
  static constexpr int warps_at_a_time = warps_at_a_time_;  // on a multiprocessor, at most

  // Four more columns of a's part, transposed, let 8 k of 4 rows fall into 32 banks.
  struct pair {
    float a[depth][rows + 4], b[depth][cols];
  };
  // As many as fit: for two more the last blocks would wait for all others, 1.26 times as long at 351 x 12727 x 313.
  static constexpr int blocks_in_memory = shared_memory / int(stages * sizeof(pair) + 1024);
  static constexpr int at_a_time = std::min(warps_at_a_time / warps, blocks_in_memory);
};

// How the tiles are computed: the first `whole` by one block each, all others by `splits` blocks each. So tiles that
// are too few for a wave of blocks do not take as long as a wave.
struct work {
  int whole, splits;
};

// The part of the matrices that a block multiplies: steps of `depth` along the common dimension.
struct part {
  int row, col, first, count;
  bool adds;  // to what other blocks add

  __device__ part(const shape& s, const work& how, int rows, int cols) {
    const int tile_cols = few_tiles::divided(s.p, cols), steps = few_tiles::divided(s.m, depth);
    const int shared = few_tiles::divided(s.n, rows) * tile_cols - how.whole, beyond = int(blockIdx.x) - how.whole;
    adds = beyond >= 0 && how.splits > 1;
    const int tile = adds ? how.whole + beyond % shared : blockIdx.x, z = adds ? beyond / shared : 0;
    const auto begin = [&](int i) { return int((long long)(steps)*i / (adds ? how.splits : 1)); };
    row = tile / tile_cols * rows, col = tile % tile_cols * cols;
    first = begin(z), count = begin(z + 1) - first;
  }
};

// A thread's share of the copies, past the registers. Each element of a is copied on its own, so that it lands where
// the transposed tile wants it. Rows beyond the matrix are replaced by the last one: their sums are never stored.
// Columns beyond it become zeros: copies of one element to many places took up to 1.6 times as long on an H100. The
// first step of all is the one that may be short: it begins before the matrices do, and gets zeros there.
template <class Tile, bool vectors>
class supply {
 public:
  __device__ supply(const float* from_a, const float* from_b, const shape& s, const part& mine) : p_{s.p} {
    missing_ = few_tiles::divided(s.m, depth) * depth - s.m;
    const int k = mine.first * depth - missing_, col = mine.col + c_of_b();
    if (mine.first > 0) missing_ = 0;
    a_ = from_a + (ptrdiff_t(mine.row) * s.m + k_of_a() + k);
    for (int i = 0; i < a_rows; ++i) row_[i] = (min(mine.row + r_of_a() + i * a_height, s.n - 1) - mine.row) * s.m;
    for (int j = 0; j < b_across; ++j) column_exists_[j] = col + j * b_width < s.p;
    b_ = from_b + ((k_of_b() + k) * ptrdiff_t(s.p) + (column_exists_[0] ? col : 0));
  }

  // Begins to copy the next pair of tiles.
  template <bool whole>
  __device__ void copy(typename Tile::pair& to) {
    if (a_threads == Tile::threads || threadIdx.x < a_threads) {
#pragma unroll
      for (int i = 0; i < a_rows; ++i)
#pragma unroll
        for (int k = 0; k < depth; k += a_depth)
          put<4>(&to.a[k_of_a() + k][r_of_a() + i * a_height], a_ + row_[i] + k, whole || k_of_a() + k >= missing_);
    }
    const float* from = b_;
#pragma unroll
    for (int k = 0; k < depth; k += b_depth, from += b_depth * ptrdiff_t(p_))
#pragma unroll
      for (int j = 0; j < b_across; ++j)
        if (Tile::cols % b_width == 0 || c_of_b() + j * b_width < Tile::cols)
          put<4 * width>(&to.b[k_of_b() + k][c_of_b() + j * b_width], from + (column_exists_[j] ? j * b_width : 0),
                         column_exists_[j] && (whole || k_of_b() + k >= missing_));
    a_ += depth;
    b_ = from;
  }

 private:
  static constexpr int a_threads = std::bit_floor(unsigned(Tile::threads));  // copy a: 8 k of 4 rows a warp
  static constexpr int a_depth = 8, a_height = a_threads / a_depth, a_rows = Tile::rows / a_height;
  static constexpr int width = vectors ? 4 : 1, b_copies = Tile::cols / width;  // of a row of b's tile
  static constexpr int b_row =
      Tile::threads % b_copies == 0 ? b_copies : std::min(int(std::bit_ceil(unsigned(b_copies))), Tile::threads);
  static constexpr int b_depth = Tile::threads / b_row;  // rows of b's tile at once, or a part of one
  static constexpr int b_width = b_row * width, b_across = few_tiles::divided(Tile::cols, b_width);

  __device__ static int k_of_a() { return threadIdx.x % a_depth; }
  __device__ static int r_of_a() { return threadIdx.x / a_depth; }
  __device__ static int k_of_b() { return threadIdx.x / b_row; }
  __device__ static int c_of_b() { return threadIdx.x % b_row * width; }

  template <int bytes>
  __device__ static void put(float* to, const float* from, bool exists) {
    __pipeline_memcpy_async(to, from, bytes, exists ? 0 : bytes);
  }

  const float *a_, *b_;  // in the next pair of tiles
  int p_, missing_;
  bool column_exists_[b_across];
  int row_[a_rows];
};

// Where a warp's part of the tile begins, and where the lane stands in it.
template <class Tile>
struct corner {
  int warp_y, warp_x, y, x;

  __device__ corner() {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    warp_y = warp / Tile::warp_cols * (thread_rows * Tile::lane_rows);
    warp_x = warp % Tile::warp_cols * (Tile::thread_cols * Tile::lane_cols);
    y = lane / Tile::lane_cols, x = lane % Tile::lane_cols;
  }
};

template <class Tile>
using thread_sums = float[thread_rows][Tile::thread_cols];

// Adds the products of a pair of tiles to the sums.
template <class Tile>
__device__ void multiply(thread_sums<Tile>& sums, const typename Tile::pair& from, const corner<Tile>& at) {
  constexpr int cols = Tile::thread_cols;
#pragma unroll
  for (int k = 0; k < depth; ++k) {
    alignas(16) float down[thread_rows], across[cols];
    for (int i = 0; i < thread_rows; i += 4)
      *reinterpret_cast<float4*>(down + i) =
          *reinterpret_cast<const float4*>(&from.a[k][at.warp_y + at.y * 4 + i * Tile::lane_rows]);
    for (int j = 0; j < Tile::in_fours; j += 4)
      *reinterpret_cast<float4*>(across + j) =
          *reinterpret_cast<const float4*>(&from.b[k][at.warp_x + at.x * 4 + j * Tile::lane_cols]);
    if constexpr (Tile::rest == 2)
      *reinterpret_cast<float2*>(across + Tile::in_fours) =
          *reinterpret_cast<const float2*>(&from.b[k][at.warp_x + at.x * 2 + Tile::in_fours * Tile::lane_cols]);
#pragma unroll
    for (int j = 0; j < cols; ++j)
#pragma unroll
      for (int step = 0; step < thread_rows; ++step) {
        const int i = j % 2 ? thread_rows - 1 - step : step;  // down a column of sums, up the next
        sums[i][j] += down[i] * across[j];
      }
  }
}

__device__ inline void put(float* to, float sum, bool adds) {
  if (adds)
    atomicAdd(to, sum);
  else
    *to = sum;
}

// Where rows of c are no whole vectors, or sums are added: through shared memory, from where a warp stores or adds
// whole rows. Stores of single patches would write each sector in pieces.
template <class Tile>
__device__ void store_rows(const thread_sums<Tile>& sums, float* through, float* c, const shape& s, const part& mine,
                           const corner<Tile>& at) {
  constexpr int width = Tile::thread_cols * Tile::lane_cols, stride = width + 4;
  through += threadIdx.x / 32 * (Tile::lane_rows * stride);
#pragma unroll
  for (int i = 0; i < thread_rows; ++i) {
    float* to = through + at.y * stride;
#pragma unroll
    for (int j = 0; j < Tile::in_fours; j += 4)
      *reinterpret_cast<float4*>(to + at.x * 4 + j * Tile::lane_cols) = {sums[i][j], sums[i][j + 1], sums[i][j + 2],
                                                                         sums[i][j + 3]};
    if constexpr (Tile::rest == 2)
      *reinterpret_cast<float2*>(to + at.x * 2 + Tile::in_fours * Tile::lane_cols) = {sums[i][Tile::in_fours],
                                                                                      sums[i][Tile::in_fours + 1]};
    __syncwarp();
#pragma unroll
    for (int e = threadIdx.x % 32; e < Tile::lane_rows * width; e += 32) {
      const int y = e / width, x = e % width, col = mine.col + at.warp_x + x;
      const int row = mine.row + at.warp_y + i / 4 * (4 * Tile::lane_rows) + y * 4 + i % 4;
      if (row < s.n && col < s.p) put(c + size_t(row) * s.p + col, through[y * stride + x], mine.adds);
    }
    __syncwarp();
  }
}

template <class Tile>
__device__ void store_vectors(const thread_sums<Tile>& sums, float* c, const shape& s, const part& mine,
                              const corner<Tile>& at) {
#pragma unroll
  for (int i = 0; i < thread_rows; ++i) {
    const int row = mine.row + at.warp_y + i / 4 * (4 * Tile::lane_rows) + at.y * 4 + i % 4;
    if (row >= s.n) continue;
    const int first = mine.col + at.warp_x;
    float* to = c + size_t(row) * s.p;
#pragma unroll
    for (int j = 0; j < Tile::in_fours; j += 4) {
      const int col = first + at.x * 4 + j * Tile::lane_cols;
      if (col < s.p)
        *reinterpret_cast<float4*>(to + col) = {sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]};
    }
    if constexpr (Tile::rest == 2) {
      const int col = first + at.x * 2 + Tile::in_fours * Tile::lane_cols;
      if (col < s.p) *reinterpret_cast<float2*>(to + col) = {sums[i][Tile::in_fours], sums[i][Tile::in_fours + 1]};
    }
  }
}

template <class Tile, bool vectors>
__global__ void __launch_bounds__(Tile::threads, Tile::warps_at_a_time / Tile::warps)
    matmul_kernel(const float* a, const float* b, float* c, shape s, work how, float one) {
  __shared__ __align__(16) typename Tile::pair ring[stages];
  const part mine{s, how, Tile::rows, Tile::cols};
  const corner<Tile> at;
  supply<Tile, vectors> next{a, b, s, mine};
  next.template copy<false>(ring[0]);
  __pipeline_commit();
  if (mine.count > 1) next.template copy<true>(ring[1]);
  __pipeline_commit();
  thread_sums<Tile> sums = {};
  for (int i = 0; i < mine.count; ++i) {
    __pipeline_wait_prior(stages - 2);  // this thread's part of pair i has come,
    __syncthreads();                    // everybody's has, and all are done with pair i - 1
    if (i + 2 < mine.count) next.template copy<true>(ring[(i + 2) % stages]);
    __pipeline_commit();
    multiply<Tile>(sums, ring[i % stages], at);
  }
  // A vector that is stored lies in four neighbouring registers. Sums that went out as they are would have to lie so
  // through the whole loop: 1.13 times as long at 7131 x 503 x 475 on an H200. So their products with `one`, which is
  // 1, but only the launcher knows, go out, and the compiler places the sums in either bank.
#pragma unroll
  for (auto& row : sums)
#pragma unroll
    for (float& sum : row) sum *= one;
  few_tiles::wait_for_zeros();
  if (vectors && !mine.adds) return store_vectors(sums, c, s, mine, at);
  __syncthreads();  // all are done with the last pair
  store_rows(sums, &ring[0].a[0][0], c, s, mine, at);
}

}  // namespace middle_tiles
