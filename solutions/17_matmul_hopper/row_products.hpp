#pragma once

#include <algorithm>

#include "../device/product_parts.hpp"
#include "streamed_products.hpp"

// Products with few rows of a that begin anywhere: most of the time goes to reading b. Its elements go from memory
// straight into the registers where the tensor cores want them, which take b's columns as their rows. The ring
// takes 1.2 times as long at 3 x 1913 x 2024 on an H200. Where TMA takes a, or threads copy it, the ring is as
// fast: 1.17 times at 3 x 5370 x 560, 0.96 at 5 x 7634 x 1336.
namespace row_products {

using few_tiles::part;
using few_tiles::shape;

constexpr int most_warps = 16, lanes = 32, cols = 64;  // of a block; each of its warps has all columns
constexpr int side = 16, eight = 8;                    // steps of a product by the tensor cores, and rows of a
constexpr int rounds = 2;                              // products whose elements are fetched together
constexpr int steps_of_warp = rounds * side;

// What a lane needs of two rounds. Lane 4 g + t has columns 8 g to 8 g + 7 of b's rows 4 t to 4 t + 3, and the same
// steps of a's rows g and g + 8: the order of the steps does not matter for a sum.
template <int groups>
struct elements {
  uint4 of_b[rounds][4];
  uint2 of_a[rounds][groups];

  __device__ void load(const unsigned short* a, const unsigned short* b, const shape& s, int begin, int end, int col,
                       bool vectors) {
    const int g = threadIdx.x % lanes / 4, t = threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < rounds; ++i) {
      const int k = begin + i * side + 4 * t;
#pragma unroll
      for (int r = 0; r < 4; ++r)
        of_b[i][r] = k + r < end ? __ldcs(reinterpret_cast<const uint4*>(b + size_t(k + r) * s.p + col)) : uint4{};
#pragma unroll
      for (int y = 0; y < groups; ++y) of_a[i][y] = four_of(a, s, y * eight + g, k, end, vectors);
    }
  }

  __device__ void multiply(float (&sums)[groups][16]) const {
#pragma unroll
    for (int i = 0; i < rounds; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        unsigned pair[4];
#pragma unroll
        for (int r = 0; r < 4; ++r) {
          const uint4& v = of_b[i][r];
          pair[r] = j == 0 ? v.x : j == 1 ? v.y : j == 2 ? v.z : v.w;
        }
        const unsigned low0 = __byte_perm(pair[0], pair[1], 0x5410), high0 = __byte_perm(pair[0], pair[1], 0x7632);
        const unsigned low1 = __byte_perm(pair[2], pair[3], 0x5410), high1 = __byte_perm(pair[2], pair[3], 0x7632);
#pragma unroll
        for (int y = 0; y < groups; ++y)
          streamed::multiply(&sums[y][4 * j], low0, high0, low1, high1, of_a[i][y].x, of_a[i][y].y);
      }
  }

 private:
  __device__ static uint2 four_of(const unsigned short* a, const shape& s, int row, int k, int end, bool vectors) {
    if (row >= s.n || k >= end) return {};
    const unsigned short* from = a + size_t(row) * s.m + k;
    if (vectors) return *reinterpret_cast<const uint2*>(from);
    const auto at = [&](int j) { return k + j < end ? unsigned(from[j]) : 0u; };
    return {at(0) | at(1) << 16, at(2) | at(3) << 16};
  }
};

// The warps of a block share its steps. A warp fetches its next elements before it multiplies.
template <int groups>
__global__ void __launch_bounds__(most_warps* lanes)
    kernel(const unsigned short* __restrict__ a, const unsigned short* __restrict__ b, float* __restrict__ c, shape s,
           int length, bool vectors) {
  extern __shared__ float4 memory[];
  const auto of_warps = reinterpret_cast<float(*)[eight][cols]>(memory);
  const int warps = blockDim.x / lanes, steps_of_block = warps * steps_of_warp;
  const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes, g = lane / 4, t = lane % 4;
  const int first = blockIdx.x * cols, col = min(first + 8 * g, s.p - 8);  // beyond the last columns: these again
  const part all{length, s.m};
  float sums[groups][16] = {};
  elements<groups> next;
  const auto fetch = [&](int begin) { next.load(a, b, s, begin + warp * steps_of_warp, all.end, col, vectors); };
  fetch(all.first);
  for (int begin = all.first; begin < all.end; begin += steps_of_block) {
    const auto now = next;
    if (begin + steps_of_block < all.end) fetch(begin + steps_of_block);
    now.multiply(sums);
  }
#pragma unroll
  for (int y = 0; y < groups; ++y) {
    if (y > 0) __syncthreads();  // all have read the sums of the rows before
#pragma unroll
    for (int i = 0; i < 16; ++i) of_warps[warp][2 * t + i % 2][8 * g + i / 4 * 2 + i % 4 / 2] = sums[y][i];
    __syncthreads();
    few_tiles::wait_for_zeros();
    // Four sums at once: 1.1 times as fast at 2 x 1024 x 256 on an H200.
    constexpr int batch = 4, stride = eight * cols / batch;
    for (int e = threadIdx.x; e < stride; e += warps * lanes) {
      float all_sums[batch] = {};
#pragma unroll 4
      for (int w = 0; w < warps; ++w)
#pragma unroll
        for (int j = 0; j < batch; ++j) all_sums[j] += of_warps[w][(e + j * stride) / cols][e % cols];
      const int x = first + e % cols;
#pragma unroll
      for (int j = 0; j < batch; ++j) {
        const int i = y * eight + (e + j * stride) / cols;
        if (i < s.n && x < s.p) few_tiles::give(c + size_t(i) * s.p + x, all_sums[j]);
      }
    }
  }
}

// With few columns there is little beside many steps: 2.9 times as fast at 2 x 524288 x 16 as a block for all of a row,
// on an H200, but 0.8 times at 1 x 1000 x 16.
inline bool takes(const shape& s) {
  constexpr double large = 1 << 24;
  constexpr int many_steps = 1 << 15;
  const bool columns = s.p >= cols || (s.p > eight && (s.n > 1 || s.m >= many_steps));
  const bool worthwhile = s.n <= eight || (s.n <= 2 * eight && (s.m >= 512 || double(s.m) * s.p >= large));
  return s.m > streamed::most && columns && worthwhile;
}

// How many warps a block has, and how many blocks share columns.
struct share {
  int warps, splits;
};

// With few columns all multiprocessors get a block even for 64 steps: 1.25 times as fast at 2 x 1024 x 256 on an H200,
// 1.3 at 8 x 690 x 504. If one turn of blocks has as many warps without parts of sums, c need not be cleared: 1.2 times
// as fast at 4 x 584 x 3688, 1.1 at 8 x 2432 x 8192 and at 4 x 2000 x 50000.
inline share share_for(const shape& s, int blocks) {
  constexpr int warps_of_part = 4, at_once = 16;  // warps of a multiprocessor
  constexpr int least = 256, fewest = 64;         // steps of a block
  const int all = few_tiles::multiprocessors();
  const int many = std::min(at_once / warps_of_part * all / blocks, few_tiles::divided(s.m, least));
  const int splits = std::max({1, many, std::min(2 * all / blocks, s.m / fewest)});
  // Else some multiprocessors have two blocks for many steps, and most have one: 1.03 times as long at 4 x 6700 x
  // 11536.
  const bool even = blocks <= all || 2 * blocks > 3 * all || s.m <= 2 * least;
  for (int warps = most_warps; warps > 1; warps /= 2)
    if (warps * blocks <= at_once * all && (splits == 1 || (even && splits * warps_of_part <= warps)))
      return {std::min(warps, few_tiles::divided(s.m, steps_of_warp)), 1};
  return {warps_of_part, splits};
}

/// c = a b for a few rows, if b's rows are whole vectors; else false, and nothing happens.
inline bool multiply(const unsigned short* a, const unsigned short* b, float* c, const shape& s) {
  if (!takes(s) || s.p % 8 != 0 || !few_tiles::is_aligned(b, 16)) return false;
  const int blocks = few_tiles::divided(s.p, cols);
  const auto [warps, splits] = share_for(s, blocks);
  const int length = few_tiles::length_for(splits, s.m), parts = few_tiles::divided(s.m, length);
  const bool vectors = s.m % 4 == 0 && few_tiles::is_aligned(a, 8);
  few_tiles::launch_after_zeros(c, parts > 1 ? size_t(s.n) * s.p : 0, s.n <= eight ? kernel<1> : kernel<2>,
                                dim3(blocks, 1, parts), warps * lanes, warps * sizeof(float[eight][cols]), a, b, c, s,
                                length, vectors);
  return true;
}

}  // namespace row_products
