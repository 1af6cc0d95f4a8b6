#pragma once

#include <cuda_pipeline.h>

#include <cmath>

#include "../device/few_tiles.hpp"

// Tiles of 64 x 128 for rows that begin anywhere, on every GPU: all threads copy, and all multiply. Nothing is
// prepared: no transposed a, no copy with longer rows. Several blocks may share a tile along the common dimension.
namespace middle_tiles {

using few_tiles::shape;

constexpr int rows = 64, cols = 128, threads = 128, at_a_time = 4;  // blocks on a multiprocessor
constexpr int depth = 16, stages = 3;  // of the tiles along the common dimension; pairs of tiles in shared memory
constexpr int lane_rows = 4, lane_cols = 8, warp_cols = 2;  // a thread has 2 x 2 patches of 4 x 4 elements

struct pair {
  float a[depth][rows + 4];  // transposed; four more columns let 8 k of 4 rows fall into 32 banks
  float b[depth][cols];
};

// The part of the matrices that a block multiplies: steps of `depth` along the common dimension.
struct part {
  int row, col, first, count;

  __device__ explicit part(const shape& s) {
    const int tile_cols = few_tiles::divided(s.p, cols), steps = few_tiles::divided(s.m, depth);
    const auto begin = [&](unsigned z) { return int((long long)(steps)*z / gridDim.z); };
    row = blockIdx.x / tile_cols * rows, col = blockIdx.x % tile_cols * cols;
    first = begin(blockIdx.z), count = begin(blockIdx.z + 1) - first;
  }
};

// A thread's share of the copies, past the registers. Each element of a is copied on its own, so that it lands where
// the transposed tile wants it. Rows beyond the matrix are replaced by the last one: their sums are never stored.
// Columns beyond it become zeros: copies of one element to many places took up to 1.6 times as long on an H100. The
// first step of all is the one that may be short: it begins before the matrices do, and gets zeros there.
template <bool vectors>
class supply {
 public:
  __device__ supply(const float* from_a, const float* from_b, const shape& s, const part& mine) : p_{s.p} {
    missing_ = few_tiles::divided(s.m, depth) * depth - s.m;
    const int k = mine.first * depth - missing_, col = mine.col + c_of_b();
    if (mine.first > 0) missing_ = 0;
    a_ = from_a + (ptrdiff_t(mine.row) * s.m + k_of_a() + k);
    for (int i = 0; i < a_rows; ++i) row_[i] = (min(mine.row + r_of_a() + i * a_height, s.n - 1) - mine.row) * s.m;
    column_exists_ = col < s.p;
    b_ = from_b + ((k_of_b() + k) * ptrdiff_t(s.p) + (column_exists_ ? col : 0));
  }

  // Begins to copy the next pair of tiles.
  template <bool whole>
  __device__ void copy(pair& to) {
#pragma unroll
    for (int i = 0; i < a_rows; ++i)
#pragma unroll
      for (int k = 0; k < depth; k += a_depth)
        put<4>(&to.a[k_of_a() + k][r_of_a() + i * a_height], a_ + row_[i] + k, whole || k_of_a() + k >= missing_);
    const float* from = b_;
#pragma unroll
    for (int k = 0; k < depth; k += b_depth, from += b_depth * ptrdiff_t(p_))
      put<4 * width>(&to.b[k_of_b() + k][c_of_b()], from, column_exists_ && (whole || k_of_b() + k >= missing_));
    a_ += depth;
    b_ = from;
  }

 private:
  static constexpr int a_depth = 8, a_height = threads / a_depth, a_rows = rows / a_height;  // 8 k of 16 rows at once
  static constexpr int width = vectors ? 4 : 1;
  static constexpr int b_row = cols / width, b_depth = threads / b_row;  // whole rows of b's tile at once

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
  bool column_exists_;
  int row_[a_rows];
};

// Where a thread's patches begin in the tile.
struct corner {
  int warp_y, warp_x, y, x;

  __device__ corner() {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    warp_y = warp / warp_cols * (8 * lane_rows), warp_x = warp % warp_cols * (8 * lane_cols);
    y = lane / lane_cols * 4, x = lane % lane_cols * 4;
  }
};

using thread_sums = float[8][8];

// Adds the products of a pair of tiles to the sums.
__device__ inline void multiply(thread_sums& sums, const pair& from, const corner& at) {
#pragma unroll
  for (int k = 0; k < depth; ++k) {
    float4 a[2], b[2];
    for (int i = 0; i < 2; ++i) {
      a[i] = *reinterpret_cast<const float4*>(&from.a[k][at.warp_y + at.y + i * 4 * lane_rows]);
      b[i] = *reinterpret_cast<const float4*>(&from.b[k][at.warp_x + at.x + i * 4 * lane_cols]);
    }
    const float *down = &a[0].x, *across = &b[0].x;
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int step = 0; step < 8; ++step) {
        const int i = j % 2 ? 7 - step : step;  // down a column of sums, up the next
        sums[i][j] += down[i] * across[j];
      }
  }
}

// Where rows of c are no whole vectors, or sums are added: through shared memory, from where a warp stores or adds
// whole rows. Stores of single patches would write each sector in pieces.
__device__ inline void store_rows(const thread_sums& sums, float* through, float* c, const shape& s, const part& mine,
                                  const corner& at) {
  constexpr int width = 8 * lane_cols, stride = width + 4;
  through += threadIdx.x / 32 * (lane_rows * stride);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      *reinterpret_cast<float4*>(through + at.y / 4 * stride + at.x + j * lane_cols) = {sums[i][j], sums[i][j + 1],
                                                                                        sums[i][j + 2], sums[i][j + 3]};
    __syncwarp();
#pragma unroll
    for (int e = threadIdx.x % 32; e < lane_rows * width; e += 32) {
      const int y = e / width, x = e % width, col = mine.col + at.warp_x + x;
      const int row = mine.row + at.warp_y + i / 4 * (4 * lane_rows) + y * 4 + i % 4;
      if (row < s.n && col < s.p) few_tiles::give(c + size_t(row) * s.p + col, through[y * stride + x]);
    }
    __syncwarp();
  }
}

__device__ inline void store_vectors(const thread_sums& sums, float* c, const shape& s, const part& mine,
                                     const corner& at) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = mine.row + at.warp_y + at.y + i / 4 * (4 * lane_rows) + i % 4;
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      const int col = mine.col + at.warp_x + at.x + j * lane_cols;
      if (row < s.n && col < s.p)
        *reinterpret_cast<float4*>(c + size_t(row) * s.p + col) = {sums[i][j], sums[i][j + 1], sums[i][j + 2],
                                                                   sums[i][j + 3]};
    }
  }
}

template <bool vectors>
__global__ void __launch_bounds__(threads, at_a_time) matmul_kernel(const float* a, const float* b, float* c, shape s) {
  __shared__ __align__(16) pair ring[stages];
  const part mine{s};
  const corner at;
  supply<vectors> next{a, b, s, mine};
  next.template copy<false>(ring[0]);
  __pipeline_commit();
  if (mine.count > 1) next.template copy<true>(ring[1]);
  __pipeline_commit();
  thread_sums sums = {};
  for (int i = 0; i < mine.count; ++i) {
    __pipeline_wait_prior(stages - 2);  // this thread's part of pair i has come,
    __syncthreads();                    // everybody's has, and all are done with pair i - 1
    if (i + 2 < mine.count) next.template copy<true>(ring[(i + 2) % stages]);
    __pipeline_commit();
    multiply(sums, ring[i % stages], at);
  }
  if (vectors && gridDim.z == 1) return store_vectors(sums, c, s, mine, at);
  __syncthreads();  // all are done with the last pair
  store_rows(sums, &ring[0].a[0][0], c, s, mine, at);
}

// How many blocks share a tile, and the time that they need, as few_tiles counts it.
struct plan {
  int splits = 1;
  double time = INFINITY;
};

// Fitted to fifty products on an H100, whose times are estimated within 3% on average near the fastest way. Sharing
// costs less than in few_tiles, because a warp adds whole rows.
constexpr few_tiles::speed vector_speed = {0.062, 0.1055, 0.1966, 14}, element_speed = {0.0663, 0.1125, 0.2089, 11};
constexpr few_tiles::costs beside = {5.6, 6.7e-7, 5e6};

/// `vectors`: rows of b and c are whole vectors.
inline plan plan_for(const shape& s, bool vectors) {
  plan best;
  if (double(rows) * s.m > 1e9) return best;  // the distances of its rows are ints
  const auto& of = vectors ? vector_speed : element_speed;
  const double tiles = double(few_tiles::divided(s.n, rows)) * few_tiles::divided(s.p, cols);
  const double room = double(at_a_time) * few_tiles::multiprocessors();
  for (int splits = 1; splits == 1 || (splits * tiles <= room && s.m >= 3 * depth * splits); ++splits) {
    const double time = few_tiles::time_for(of, beside, s, tiles, splits);
    if (time < best.time) best = {splits, time};
  }
  return best;
}

inline void launch(const float* a, const float* b, float* c, const shape& s, bool vectors, int splits) {
  few_tiles::prepare(c, splits, s);
  const auto kernel = vectors ? matmul_kernel<true> : matmul_kernel<false>;
  const int tiles = few_tiles::divided(s.n, rows) * few_tiles::divided(s.p, cols);
  kernel<<<dim3(tiles, 1, splits), threads>>>(a, b, c, s);
}

}  // namespace middle_tiles
