#pragma once

#include <algorithm>
#include <climits>

#include "../device/product_parts.hpp"
#include "streamed_products.hpp"

// Products with few columns of b: most of the time goes to reading a. As in streamed_products.hpp its elements go from
// memory straight into the registers where the tensor cores want them, from any address. On an H200 tiles take 1.6
// times as long at 20000 x 128 x 8, and 1.4 times at 9000 x 5500 x 8. The kernels of thin_products.hpp read b for each
// row of a, and take 2.3 times as long at 200000 x 256 x 4.
namespace column_products {

using any_address::matrix;
using few_tiles::part;
using few_tiles::shape;

constexpr int lanes = 32, rows = 32;  // of a block; each of its warps has all rows
constexpr int most_warps = 16;
constexpr int cols = 8;   // of b, at most
constexpr int side = 32;  // steps of a pair of products, eight of them a lane's

// What a lane needs for `side` steps. Lane 4 g + t has steps 8 t to 8 t + 7: of a's rows g, g + 8, g + 16 and g + 24,
// and of b's column g. The order of the steps does not matter for a sum.
template <bool vectors>
struct elements {
  streamed::part_of_row<vectors> of_a[rows / 8];
  unsigned short of_b[8];

  __device__ void load(const matrix& a, const unsigned short* b, const shape& s, int row, int begin, int end) {
    const int g = threadIdx.x % lanes / 4, t = threadIdx.x % 4, k = begin + 8 * t;
#pragma unroll
    for (int r = 0; r < rows / 8; ++r) of_a[r].load(a, row + 8 * r + g, k < end ? k : s.m);
#pragma unroll
    for (int j = 0; j < 8; ++j) of_b[j] = k + j < end && g < s.p ? __ldg(b + size_t(k + j) * s.p + g) : 0;
  }

  __device__ void multiply(float (&sums)[rows / 16][4]) const {
    unsigned right[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) right[j] = of_b[2 * j] | unsigned(of_b[2 * j + 1]) << 16;
#pragma unroll
    for (int y = 0; y < rows / 16; ++y) {
      const uint4 top = of_a[2 * y].elements(), low = of_a[2 * y + 1].elements();
      streamed::multiply(sums[y], top.x, low.x, top.y, low.y, right[0], right[1]);
      streamed::multiply(sums[y], top.z, low.z, top.w, low.w, right[2], right[3]);
    }
  }
};

// The warps of a block share its steps. A warp fetches its next elements before it multiplies.
template <bool vectors>
__global__ void __launch_bounds__(most_warps* lanes, vectors ? 2 : 1)
    kernel(matrix a, const unsigned short* __restrict__ b, float* __restrict__ c, shape s, int length) {
  extern __shared__ float4 memory[];
  const auto of_warps = reinterpret_cast<float(*)[rows][cols]>(memory);
  const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes, g = lane / 4, t = lane % 4;
  const int first = blockIdx.x * rows, step = blockDim.x / lanes * side;
  const part all{length, s.m};
  float sums[rows / 16][4] = {};
  elements<vectors> next;
  const auto fetch = [&](int begin) { next.load(a, b, s, first, begin + warp * side, all.end); };
  fetch(all.first);
  for (int begin = all.first; begin < all.end; begin += step) {
    const auto now = next;
    if (begin + step < all.end) fetch(begin + step);
    now.multiply(sums);
  }
#pragma unroll
  for (int y = 0; y < rows / 16; ++y)
#pragma unroll
    for (int i = 0; i < 4; ++i) of_warps[warp][16 * y + i / 2 * 8 + g][2 * t + i % 2] = sums[y][i];
  __syncthreads();
  few_tiles::wait_for_zeros();
  for (int e = threadIdx.x; e < rows * cols; e += blockDim.x) {
    const int row = first + e / cols, x = e % cols;
    float sum = 0;
#pragma unroll 4
    for (int w = 0; w < blockDim.x / lanes; ++w) sum += of_warps[w][e / cols][x];
    if (row < s.n && x < s.p) few_tiles::give(c + size_t(row) * s.p + x, sum);
  }
}

// Else the kernels of thin_products.hpp begin sooner: 0.85 times as long at 500 x 300 x 8 on an H200, 0.7 at 500 x 3000
// x 2. With many rows they have a warp for each, or less, and with few rows a block: 2.3 times as long at 3 x 13120
// x 8. If L2 does not keep a, and b has more than four columns, the ring takes 0.85 times as long at 21904 x 3928 x 8.
inline bool takes(const shape& s, bool vectors) {
  if (s.m <= streamed::most || s.p < 2 || s.p > cols) return false;
  const double elements = double(s.n) * s.m;
  if (vectors && s.p > cols / 2 && elements > 5e7) return false;
  const int all = few_tiles::multiprocessors();
  const double by_rows = vectors ? 4e6 * std::min(1.0, s.n / (2.0 * all)) : s.p > cols / 2 ? 4e6 : 6e6;
  return (vectors || s.n >= cols) && elements * s.p >= (s.n >= 8 * all ? 1e6 : by_rows);
}

// How many warps a block has, and how many steps.
struct share {
  int warps, length;
};

// The share with the fewest rounds of the multiprocessors, on average 2% slower than the fastest of some 50. Beside a
// block of four warps for all steps 1.3 times as fast at 9000 x 5500 x 8 on an H200, 6 times at 900 x 9000 x 8.
inline share share_for(const shape& s, bool vectors) {
  constexpr int beginning = 1, clearing = 2;  // take as long as so many rounds of a block
  constexpr int longest = 8;                  // rounds of a block: so the last blocks end together
  constexpr int turns_of_parts = 4;           // at most
  const int tiles = few_tiles::divided(s.n, rows), at_once = (vectors ? 32 : 16) * few_tiles::multiprocessors();
  share best{};
  int least = INT_MAX;
  for (const int most : {most_warps, 8, 4, 3}) {
    const int warps = std::min(most, few_tiles::divided(s.m, side)), blocks = at_once / warps;
    const int rounds = few_tiles::divided(s.m, warps * side);
    const int most_parts = std::max(turns_of_parts * blocks / tiles, 1);
    for (int length = 1; length <= longest; ++length) {
      const int parts = std::min(few_tiles::divided(rounds, length), most_parts);
      const int of_part = few_tiles::divided(rounds, parts), turns = few_tiles::divided(tiles * parts, blocks);
      const int time = turns * (of_part + beginning) + (parts > 1 ? clearing : 0);
      if (time < least) best = {warps, of_part * warps * side}, least = time;
    }
  }
  return best;
}

/// c = a b for a few columns, if there are enough products; else false, and nothing happens.
inline bool multiply(const unsigned short* a, const unsigned short* b, float* c, const shape& s) {
  const bool vectors = s.m % 8 == 0 && few_tiles::is_aligned(a, 16);
  if (!takes(s, vectors)) return false;
  const auto [warps, length] = share_for(s, vectors);
  const int parts = few_tiles::divided(s.m, length);
  few_tiles::launch_after_zeros(c, parts > 1 ? size_t(s.n) * s.p : 0, vectors ? kernel<true> : kernel<false>,
                                dim3(few_tiles::divided(s.n, rows), 1, parts), warps * lanes,
                                warps * sizeof(float[rows][cols]), matrix{a, s.n, s.m}, b, c, s, length);
  return true;
}

}  // namespace column_products
