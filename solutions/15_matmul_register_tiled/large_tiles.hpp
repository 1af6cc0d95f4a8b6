#pragma once

#include "../device/few_tiles.hpp"

// What both ways to multiply large tiles share: the tile of a block, and a thread's part of it.
namespace large_tiles {

constexpr int row_fours = 2, col_fours = 2;                  // a thread owns 2 x 2 patches of 4 x 4 elements of c,
constexpr int lane_rows = 4, lane_cols = 8;                  // the lanes of a warp stand in 4 rows of 8,
constexpr int warp_rows = 4, warp_cols = 2;                  // and the warps of a block in 4 rows of 2:
constexpr int rows = row_fours * 4 * lane_rows * warp_rows;  // the block's tile has 128 rows
constexpr int cols = col_fours * 4 * lane_cols * warp_cols;  // and as many columns
constexpr int warps = warp_rows * warp_cols, threads = warps * 32;
constexpr int blocks_at_a_time = 2;  // on a multiprocessor

// Where a thread's patches begin in the block's tile.
struct corner {
  int y, x, fours;  // fours is y / 4

  __device__ explicit corner(int warp = threadIdx.x / 32, int lane = threadIdx.x % 32)
      : y{warp / warp_cols * (rows / warp_rows) + lane / lane_cols * 4},
        x{warp % warp_cols * (cols / warp_cols) + lane % lane_cols * 4},
        fours{warp / warp_cols * (rows / warp_rows / 4) + lane / lane_cols} {}
};

using thread_sums = float[row_fours * 4][col_fours * 4];

// What a thread needs of one k: 8 elements of a column of a, and 8 of a row of b.
struct factors {
  float4 a[row_fours], b[col_fours];

  __device__ void load(const float* from_a, const float* from_b) {
    for (int i = 0; i < row_fours; ++i) a[i] = *reinterpret_cast<const float4*>(from_a + i * lane_rows * 4);
    for (int j = 0; j < col_fours; ++j) b[j] = *reinterpret_cast<const float4*>(from_b + j * lane_cols * 4);
  }

  __device__ void multiply(thread_sums& sums) const {
    const float *down = &a[0].x, *across = &b[0].x;
#pragma unroll
    for (int j = 0; j < col_fours * 4; ++j) {
#pragma unroll
      for (int step = 0; step < row_fours * 4; ++step) {
        const int i = j % 2 ? row_fours * 4 - 1 - step : step;  // down a column of sums, up the next
        sums[i][j] += down[i] * across[j];
      }
    }
  }
};

// A vector that is stored lies in four neighbouring registers. Sums that went out as they are would have to lie so
// through the whole main loop, where the compiler wants to place each so that no multiply-add reads twice from one
// bank. So their products with `one` go out, which is 1, but only the launcher knows.
// put(to, x) stores a vector or an element, or adds it.
template <bool vectors, class F>
__device__ void store(const thread_sums& sums, float* c, int n, int p, int tile_row, int tile_col, corner at, float one,
                      const F& put) {
  for (int i = 0; i < row_fours * 4; ++i) {
    const int row = tile_row + at.y + i / 4 * lane_rows * 4 + i % 4;
    for (int j = 0; j < col_fours * 4; j += 4) {
      const int col = tile_col + at.x + j * lane_cols;
      float* to = c + size_t(row) * p + col;
      if constexpr (vectors) {
        float four[4];
        for (int t = 0; t < 4; ++t) four[t] = sums[i][j + t] * one;
        if (row >= n || col >= p) continue;
        put(reinterpret_cast<float4*>(to), *reinterpret_cast<const float4*>(four));
      } else {
        for (int t = 0; t < 4; ++t)
          if (row < n && col + t < p) put(to + t, sums[i][j + t]);
      }
    }
  }
}

}  // namespace large_tiles
