#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "shared_columns.hpp"
#include "tall_products.hpp"
#include "thin_products.hpp"

// Matrix products whose result has few tiles, or is only a few rows or columns: there the warps of a block, and if need
// be several blocks, share one tile along the common dimension, and their sums are added at the end.
namespace few_tiles {

template <int side, int depth>
struct tiles {
  float a[depth][side + 4], b[depth][side];  // a's is transposed, so that a thread reads four rows as one vector
};

// `shares` groups of threads have a pair of tiles each; a thread computes patch x patch sums of its group, four
// neighbouring rows and columns at a time. While a group multiplies, the elements of its next tiles are on their way in
// registers.
template <bool vectors, int side, int patch, int shares, int depth, class T>
__global__ void __launch_bounds__(side* side / (patch * patch) * shares, patch == 8 ? 512 / (64 * shares) : 1)
    tile_kernel(const T* __restrict__ a, const T* __restrict__ b, float* __restrict__ c, shape s, int length) {
  constexpr int across = side / patch, group = across * across, fours = patch / 4, far = side / fours;
  constexpr int loads = depth * side / 4 / group;  // of each matrix a thread
  extern __shared__ float4 memory[];
  const int share = threadIdx.x / group, t = threadIdx.x % group, y = t / across * 4, x = t % across * 4;
  const int tile_cols = divided(s.p, side), row = blockIdx.x / tile_cols * side, col = blockIdx.x % tile_cols * side;
  const part mine{length, s.m};
  tiles<side, depth>& pair = reinterpret_cast<tiles<side, depth>*>(memory)[share];
  // As they come from memory: to convert them here would mean to wait for them here.
  std::conditional_t<vectors, four<T>, T> from_a[vectors ? loads : 4 * loads], from_b[vectors ? loads : 4 * loads];
  const auto load = [&](int first) {
    if constexpr (vectors) {
#pragma unroll
      for (int i = 0; i < loads; ++i) {
        const int v = t + i * group, r = row + v / (depth / 4), k_of_a = first + v % (depth / 4) * 4;
        const int k = first + v / (side / 4), x = col + v % (side / 4) * 4;
        from_a[i] = r < s.n && k_of_a < mine.end ? four_at(a + size_t(r) * s.m + k_of_a) : four<T>{};
        from_b[i] = k < mine.end && x < s.p ? four_at(b + size_t(k) * s.p + x) : four<T>{};
      }
    } else {
#pragma unroll
      for (int e = 0; e < 4 * loads; ++e) {  // four neighbours a thread: faster on an H100 than one
        const int v = t + e / 4 * group, r = row + v / (depth / 4), k_of_a = first + v % (depth / 4) * 4 + e % 4;
        const int k = first + v / (side / 4), x = col + v % (side / 4) * 4 + e % 4;
        from_a[e] = r < s.n && k_of_a < mine.end ? a[size_t(r) * s.m + k_of_a] : T{};
        from_b[e] = k < mine.end && x < s.p ? b[size_t(k) * s.p + x] : T{};
      }
    }
  };
  const auto keep = [&] {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const int v = t + i * group, r = v / (depth / 4), k = v % (depth / 4) * 4;
      float4 down, along;
      if constexpr (vectors) {
        down = as_floats(from_a[i]), along = as_floats(from_b[i]);
      } else {
        down = joined(from_a + 4 * i), along = joined(from_b + 4 * i);
      }
      pair.a[k][r] = down.x, pair.a[k + 1][r] = down.y, pair.a[k + 2][r] = down.z, pair.a[k + 3][r] = down.w;
      *reinterpret_cast<float4*>(&pair.b[v / (side / 4)][v % (side / 4) * 4]) = along;
    }
  };
  float sums[patch][patch] = {};
  load(mine.first + share * depth);
  for (int first = mine.first; first < mine.end; first += shares * depth) {
    __syncthreads();  // all have read the tiles before
    keep();
    __syncthreads();
    load(first + (shares + share) * depth);
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float4 l[fours], r[fours];
#pragma unroll
      for (int f = 0; f < fours; ++f) {
        l[f] = *reinterpret_cast<const float4*>(&pair.a[k][y + f * far]);
        r[f] = *reinterpret_cast<const float4*>(&pair.b[k][x + f * far]);
      }
      const float *down = &l[0].x, *right = &r[0].x;
#pragma unroll
      for (int i = 0; i < patch; ++i)
#pragma unroll
        for (int j = 0; j < patch; ++j) sums[i][j] += down[i] * right[j];
    }
  }

  // The other groups' sums go through the shared memory of the tiles.
  auto* others = reinterpret_cast<float4(*)[side][side / 4]>(memory);
  if (shares > 1) __syncthreads();
#pragma unroll
  for (int i = 0; i < patch; ++i)
#pragma unroll
    for (int f = 0; f < fours; ++f) {
      const float* four = sums[i] + f * 4;
      if (share > 0)
        others[share - 1][y + i / 4 * far + i % 4][(x + f * far) / 4] = {four[0], four[1], four[2], four[3]};
    }
  if (shares > 1) __syncthreads();
  if (share > 0) return;
  wait_for_zeros();
#pragma unroll
  for (int i = 0; i < patch; ++i) {
    const int r = y + i / 4 * far + i % 4;
    if (row + r >= s.n) continue;
#pragma unroll
    for (int f = 0; f < fours; ++f) {
      const int q = x + f * far;
      float* four = sums[i] + f * 4;
      for (int other = 0; other < shares - 1; ++other) {
        const float4 more = others[other][r][q / 4];
        four[0] += more.x, four[1] += more.y, four[2] += more.z, four[3] += more.w;
      }
#pragma unroll
      for (int j = 0; j < 4; ++j)
        if (col + q + j < s.p) give(c + size_t(row + r) * s.p + col + q + j, four[j]);
    }
  }
}

// Microseconds that one k takes a multiprocessor with one block, with two, and with four. The begin and the end of a
// tile take as long as `more` steps of k.
struct speed {
  double alone, two, four, more;

  double step(double blocks) const {
    if (blocks > 4) return four * int(blocks / 4) + step(std::fmod(blocks, 4));
    return blocks == 0 ? 0 : blocks <= 1 ? alone : blocks <= 2 ? two : blocks <= 3 ? (two + four) / 2 : four;
  }
};

// What a tile takes beside its products: microseconds if blocks share it, and for each element that they add; bytes of
// c that are stored in a microsecond.
struct costs {
  double adding, added_element, stored;
};

// Microseconds of `tiles` tiles, each of which `splits` blocks share.
inline double time_for(const speed& of, const costs& other, const shape& s, double tiles, int splits) {
  const double outputs = double(s.n) * s.p, steps = double(s.m) / splits + of.more;
  const double sharing = splits > 1 ? other.adding + other.added_element * outputs * splits : 0;
  return of.step(tiles * splits / multiprocessors()) * steps + sharing + 4 * outputs / other.stored;
}

// A form of the kernel: the side of its tile, and its speed.
struct form {
  int side;
  speed of;
};

// Fitted to fifty products on an H100; near the fastest form the times are estimated within 5% on average, those of
// sides of 16 in rows that are no whole vectors within 10%. Rows of whole vectors, then all others. Of the forms with a
// side of 64, the first has four groups of threads and the second two. The cost of adding is from an H200, where the
// kernel begins while c is cleared: 177 x 985 x 49 is 1.20 times as fast as by the plan that knew only the first kind.
constexpr form vector_forms[] = {{16, {0.0048, 0.0086, 0.0158, 87}},
                                 {32, {0.0125, 0.0203, 0.0379, 34}},
                                 {64, {0.0412, 0.0603, 0.117, 28}},
                                 {64, {0.061, 0.0671, 0.106, 25}}};
constexpr form element_forms[] = {{16, {0.007, 0.0121, 0.0214, 88}},
                                  {32, {0.0148, 0.0241, 0.0469, 68}},
                                  {64, {0.0361, 0.0574, 0.1085, 42}},
                                  {64, {0.0712, 0.0776, 0.1223, 26}}};
constexpr costs beside = {0.6, 4.3e-6, 1.56e6};

// Which form is fastest, how many blocks share a tile, and the time that they need, in microseconds on an H100, without
// what all ways need.
struct plan {
  int form = 0, splits = 1;
  double time = 1e30;
};

// If several blocks share a tile, c must be filled with zeros, and each adds its sums with atomics.
inline plan plan_for(const shape& s, bool vectors) {
  plan best;
  for (int i = 0; i < 4; ++i) {
    const form& one = (vectors ? vector_forms : element_forms)[i];
    const double tiles = double(divided(s.n, one.side)) * divided(s.p, one.side);
    for (int splits = 1; splits <= 256 && (splits == 1 || s.m / splits >= 4 * depth); splits += 1 + splits / 16) {
      const double time = time_for(one.of, beside, s, tiles, splits);
      if (time < best.time) best = {i, splits, time};
    }
  }
  return best;
}

template <int side, int patch, int shares, int depth = few_tiles::depth, class T>
void launch(const T* a, const T* b, float* c, const shape& s, int splits, bool vectors) {
  constexpr size_t bytes = std::max(shares * sizeof(tiles<side, depth>), (shares - 1) * side * side * sizeof(float));
  static_assert(bytes <= 48 * 1024);
  const int length = length_for(splits, s.m);
  const dim3 grid(divided(s.p, side) * divided(s.n, side), 1, divided(s.m, length));
  const auto kernel =
      vectors ? tile_kernel<true, side, patch, shares, depth, T> : tile_kernel<false, side, patch, shares, depth, T>;
  launch_after_zeros(c, splits > 1 ? size_t(s.n) * s.p : 0, kernel, grid, side * side / (patch * patch) * shares, bytes,
                     a, b, c, s, length);
}

/// c = a b if that takes less than `limit` microseconds by the plan; else false, and nothing happens. `vectors`: all
/// rows begin at multiples of 16 bytes.
inline bool multiply(const float* a, const float* b, float* c, const shape& s, bool vectors, double limit) {
  if (s.p <= thin && s.m >= 4 * depth && (s.p <= 2 || s.n <= 16 * depth)) return launch_few_columns(a, b, c, s), true;
  // From 33 columns on, tiles of vectors are 1.5 times as fast as the tall kernel, at 200001 x 20 x 40.
  if (tall(s) && !(vectors && (s.m <= shallow || s.p > 32))) return launch_tall(a, b, c, s), true;
  if (shallow_rows(s)) return launch_shallow_rows(a, b, c, s), true;
  if (s.m <= shallow ||
      (s.m <= 2 * shallow && (s.p <= thin || s.n <= thin || s.p >= columns_of_shallow * threads_of_columns)))
    return launch_shallow(a, b, c, s, vectors), true;
  if (s.p <= thin && short_rows(s)) return launch_few_columns(a, b, c, s), true;
  if (shared_columns(s)) return launch_shared_columns(a, b, c, s), true;
  if (many_columns(s)) return launch_many_columns(a, b, c, s), true;
  const bool few_steps = s.m <= 64 && s.p >= 64 * multiprocessors();
  const auto tiles_of = [&](int side) { return double(divided(s.n, side)) * divided(s.p, side); };
  if (s.m > depth && s.m <= 2 * depth && std::max(s.n, s.p) <= 32)
    return launch<32, 4, 4>(a, b, c, s, 1, vectors), true;
  // Enough of them to write c at full speed. Where rows are no whole vectors, this is known of many columns.
  const bool large_tiles = (few_steps && s.n <= 32) ||
                           (vectors ? tiles_of(2 * 64) > multiprocessors() : s.p >= 2 * 64 * 8 * multiprocessors());
  if (s.m <= 2 * depth && !large_tiles) return launch<64, 4, 1>(a, b, c, s, 1, vectors), true;
  const plan best = plan_for(s, vectors);
  if (best.time >= limit) return false;
  if (best.form == 0)
    launch<16, 4, 8>(a, b, c, s, best.splits, vectors);
  else if (best.form == 1)
    launch<32, 4, 4>(a, b, c, s, best.splits, vectors);
  else if (best.form == 2)
    launch<64, 8, 4, 8>(a, b, c, s, best.splits, vectors);
  else
    launch<64, 8, 2, 8>(a, b, c, s, best.splits, vectors);
  return true;
}

}  // namespace few_tiles
