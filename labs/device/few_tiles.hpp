#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>

// Matrix products whose result has few tiles, or is only a few rows or columns: there the warps of a block, and if need
// be several blocks, share one tile along the common dimension, and their sums are added at the end.
namespace few_tiles {

constexpr int depth = 16;  // of the small tiles along the common dimension; parts of it are multiples of this
constexpr int thin = 8;    // rows or columns of a thin result, at most
constexpr int threads_of_thin = 256;

__host__ __device__ constexpr int divided(int a, int b) { return (a - 1) / b + 1; }

struct shape {
  int n, m, p;  // a has n x m elements, b m x p, c n x p
};

// The part of the common dimension for the blocks with one blockIdx.z; `length` of them each.
struct part {
  int first, end;

  __device__ part(int length, int m) : first(blockIdx.z * length), end(min(m, first + length)) {}
};

// Several blocks add to an element of c, which was zero before.
__device__ inline void give(float* to, float sum) {
  if (gridDim.z > 1)
    atomicAdd(to, sum);
  else
    *to = sum;
}

// Four neighbours of a row; zeros from column `end` on. Where all rows are whole vectors, one load.
template <bool vectors>
__device__ float4 load_four(const float* row, int col, int end) {
  if (vectors) return col < end ? *reinterpret_cast<const float4*>(row + col) : float4{};
  float four[4] = {};
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (col + i < end) four[i] = row[col + i];
  return {four[0], four[1], four[2], four[3]};
}

template <int side, int depth>
struct tiles {
  float a[depth][side + 4], b[depth][side];  // a's is transposed, so that a thread reads four rows as one vector
};

// `shares` groups of threads have a pair of tiles each; a thread computes patch x patch sums of its group, four
// neighbouring rows and columns at a time. While a group multiplies, the elements of its next tiles are on their way in
// registers.
template <bool vectors, int side, int patch, int shares, int depth>
__global__ void __launch_bounds__(side* side / (patch * patch) * shares, patch == 8 ? 512 / (64 * shares) : 1)
    tile_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, shape s, int length) {
  constexpr int across = side / patch, group = across * across, fours = patch / 4, far = side / fours;
  constexpr int loads = depth * side / 4 / group;  // of each matrix a thread
  extern __shared__ float4 memory[];
  const int share = threadIdx.x / group, t = threadIdx.x % group, y = t / across * 4, x = t % across * 4;
  const int tile_cols = divided(s.p, side), row = blockIdx.x / tile_cols * side, col = blockIdx.x % tile_cols * side;
  const part mine{length, s.m};
  tiles<side, depth>& pair = reinterpret_cast<tiles<side, depth>*>(memory)[share];
  float4 from_a[loads], from_b[loads];
  const auto load = [&](int first) {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const int v = t + i * group, r = row + v / (depth / 4), k = first + v / (side / 4);
      const float4 none{};
      from_a[i] = r < s.n ? load_four<vectors>(a + size_t(r) * s.m, first + v % (depth / 4) * 4, mine.end) : none;
      from_b[i] = k < mine.end ? load_four<vectors>(b + size_t(k) * s.p, col + v % (side / 4) * 4, s.p) : none;
    }
  };
  float sums[patch][patch] = {};
  load(mine.first + share * depth);
  for (int first = mine.first; first < mine.end; first += shares * depth) {
    __syncthreads();  // all have read the tiles before
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      const int v = t + i * group, r = v / (depth / 4), k = v % (depth / 4) * 4;
      pair.a[k][r] = from_a[i].x, pair.a[k + 1][r] = from_a[i].y;
      pair.a[k + 2][r] = from_a[i].z, pair.a[k + 3][r] = from_a[i].w;
      *reinterpret_cast<float4*>(&pair.b[v / (side / 4)][v % (side / 4) * 4]) = from_b[i];
    }
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

// At most 8 rows: a thread computes a column of c, and a warp reads rows of b.
static __global__ void __launch_bounds__(threads_of_thin)
    few_rows_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, shape s,
                    int length) {
  const int col = blockIdx.x * threads_of_thin + threadIdx.x;
  if (col >= s.p) return;
  const part mine{length, s.m};
  float sums[thin] = {};
#pragma unroll 4
  for (int k = mine.first; k < mine.end; ++k) {
    const float from_b = b[size_t(k) * s.p + col];
#pragma unroll
    for (int i = 0; i < thin; ++i)
      if (i < s.n) sums[i] += a[size_t(i) * s.m + k] * from_b;
  }
#pragma unroll
  for (int i = 0; i < thin; ++i)
    if (i < s.n) give(c + size_t(i) * s.p + col, sums[i]);
}

// At most 8 columns: the threads of a block share a row of a, as in a product of a matrix and a vector.
static __global__ void __launch_bounds__(threads_of_thin)
    few_columns_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, shape s,
                       int length) {
  constexpr int lanes = 32, warps = threads_of_thin / lanes;
  __shared__ float of_warps[warps][thin];
  const part mine{length, s.m};
  const float* row = a + size_t(blockIdx.x) * s.m;
  float sums[thin] = {};
#pragma unroll 4
  for (int k = mine.first + threadIdx.x; k < mine.end; k += threads_of_thin) {
    const float from_a = row[k];
#pragma unroll
    for (int j = 0; j < thin; ++j)
      if (j < s.p) sums[j] += from_a * b[size_t(k) * s.p + j];
  }
#pragma unroll
  for (int j = 0; j < thin; ++j)
    for (int offset = lanes / 2; offset > 0; offset /= 2) sums[j] += __shfl_xor_sync(0xffffffff, sums[j], offset);
  if (threadIdx.x % lanes == 0)
    for (int j = 0; j < thin; ++j) of_warps[threadIdx.x / lanes][j] = sums[j];
  __syncthreads();
  if (const int j = threadIdx.x; j < thin && j < s.p) {
    float sum = 0;
    for (int w = 0; w < warps; ++w) sum += of_warps[w][j];
    give(c + size_t(blockIdx.x) * s.p + j, sum);
  }
}

constexpr int shallow = 8;  // common dimension of the kernel below, at most
constexpr int threads_of_shallow = 256;

// With a short common dimension, writing c takes longest: a thread computes four columns of four rows, a quarter of c
// apart, so that neighbouring threads read neighbouring rows.
template <bool vectors>
__global__ void __launch_bounds__(threads_of_shallow)
    shallow_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, shape s) {
  const int fours = divided(s.p, 4), rows = divided(s.n, 4);
  const long long t = (long long)(blockIdx.x) * threads_of_shallow + threadIdx.x;
  const int row = t / fours, col = t % fours * 4;
  if (row >= rows) return;
  float sums[4][4] = {};
#pragma unroll 4
  for (int k = 0; k < s.m; ++k) {
    const float4 r = load_four<vectors>(b + size_t(k) * s.p, col, s.p);
    const float right[4] = {r.x, r.y, r.z, r.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float down = row + i * rows < s.n ? a[size_t(row + i * rows) * s.m + k] : 0;
#pragma unroll
      for (int j = 0; j < 4; ++j) sums[i][j] += down * right[j];
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (row + i * rows >= s.n) return;
    float* to = c + size_t(row + i * rows) * s.p + col;
    if (vectors)
      *reinterpret_cast<float4*>(to) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    else
      for (int j = 0; j < 4 && col + j < s.p; ++j) to[j] = sums[i][j];
  }
}

inline int multiprocessors() {
  static const int count = [] {
    int device = 0, found = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, device);
    return found;
  }();
  return count;
}

// The time that one k takes a multiprocessor with one block, with two, and with four, in microseconds on an H200.
struct speed {
  double alone, two, four;

  double of(double blocks) const {
    if (blocks > 4) return four * int(blocks / 4) + (std::fmod(blocks, 4) > 0 ? of(std::fmod(blocks, 4)) : 0);
    return blocks <= 1 ? alone : blocks <= 2 ? two : four;
  }
};

constexpr double stored = 6e6, zeroed = 3.2e6;  // bytes in a microsecond
constexpr int as_steps = 12;                    // of k: what begin and end of a tile take

// How many blocks share a tile, and the time that they need, in microseconds on an H200, without what all ways need.
struct plan {
  int splits;
  double time;
};

// If several blocks share a tile, c must be filled with zeros, and each adds its sums with atomics.
inline plan plan_for(double count, const speed& k, const shape& s) {
  plan best{1, 1e30};
  for (int splits = 1; splits <= 256 && (splits == 1 || s.m / splits >= 4 * depth); splits *= 2) {
    const double adding = splits > 1 ? 2.5 + 6e-6 * s.n * s.p * splits : 0;
    const double steps = s.m / splits + as_steps, storing = 4.0 * s.n * s.p / stored;
    const double time = k.of(count * splits / multiprocessors()) * steps + adding + storing;
    if (time < best.time) best = {splits, time};
  }
  return best;
}

/// How many of the common dimension's elements each of `splits` blocks gets: whole tiles.
inline int length_for(int splits, int m) { return divided(divided(m, splits), depth) * depth; }

/// Fills c with zeros if several blocks will add to it.
inline void prepare(float* c, int splits, const shape& s) {
  if (splits > 1) cudaMemsetAsync(c, 0, sizeof(float) * s.n * s.p, 0);
}

template <int side, int patch, int shares, int depth = few_tiles::depth>
void launch(const float* a, const float* b, float* c, const shape& s, int splits, bool vectors) {
  constexpr size_t bytes = std::max(shares * sizeof(tiles<side, depth>), (shares - 1) * side * side * sizeof(float));
  static_assert(bytes <= 48 * 1024);
  prepare(c, splits, s);
  const int length = length_for(splits, s.m);
  const dim3 grid(divided(s.p, side) * divided(s.n, side), 1, divided(s.m, length));
  const auto kernel =
      vectors ? tile_kernel<true, side, patch, shares, depth> : tile_kernel<false, side, patch, shares, depth>;
  kernel<<<grid, side * side / (patch * patch) * shares, bytes>>>(a, b, c, s, length);
}

inline void launch_shallow(const float* a, const float* b, float* c, const shape& s, bool vectors) {
  const long long threads = (long long)(divided(s.n, 4)) * divided(s.p, 4);
  const auto kernel = vectors ? shallow_kernel<true> : shallow_kernel<false>;
  kernel<<<int((threads - 1) / threads_of_shallow + 1), threads_of_shallow>>>(a, b, c, s);
}

/// c = a b if that takes less than `limit` microseconds by the plan; else false, and nothing happens. `vectors`: all
/// rows begin at multiples of 16 bytes.
inline bool multiply(const float* a, const float* b, float* c, const shape& s, bool vectors, double limit) {
  const auto thin_launch = [&](auto kernel, int blocks, int least) {
    const int splits = std::clamp(8 * multiprocessors() / blocks, 1, divided(s.m, least));
    prepare(c, splits, s);
    const int length = length_for(splits, s.m);
    kernel<<<dim3(blocks, 1, divided(s.m, length)), threads_of_thin>>>(a, b, c, s, length);
    return true;
  };
  if (s.p <= thin && s.m >= 4 * depth && (s.p <= 2 || s.n <= 16 * depth))
    return thin_launch(few_columns_kernel, s.n, 4 * threads_of_thin);
  if (s.n <= thin && s.p >= 8 * threads_of_thin)
    return thin_launch(few_rows_kernel, divided(s.p, threads_of_thin), 4 * depth);
  if (s.m <= shallow || (s.p <= thin && s.m * s.p <= 8 * depth)) return launch_shallow(a, b, c, s, vectors), true;
  const auto tiles_of = [&](int side) { return double(divided(s.n, side)) * divided(s.p, side); };
  if (s.m > depth && s.m <= 2 * depth && std::max(s.n, s.p) <= 32)
    return launch<32, 4, 4>(a, b, c, s, 1, vectors), true;
  const bool large_tiles = vectors && tiles_of(2 * 64) > multiprocessors();  // enough of them to write c at full speed
  if (s.m <= 2 * depth && !large_tiles) return launch<64, 4, 1>(a, b, c, s, 1, vectors), true;
  const plan small = plan_for(tiles_of(16), {0.0042, 0.0064, 0.018}, s),
             middle = plan_for(tiles_of(32), {0.0106, 0.0164, 0.0428}, s),
             wide = plan_for(tiles_of(64), {0.0324, 0.0566, 0.11}, s);
  const double least = std::min({small.time, middle.time, wide.time});
  if (least * (vectors ? 1 : 1.2) >= limit) return false;
  if (small.time == least)
    launch<16, 4, 8>(a, b, c, s, small.splits, vectors);
  else if (middle.time == least)
    launch<32, 4, 4>(a, b, c, s, middle.splits, vectors);
  else if (tiles_of(64) * wide.splits <= 2 * multiprocessors())
    launch<64, 8, 4, 8>(a, b, c, s, wide.splits, vectors);
  else
    launch<64, 8, 2, 8>(a, b, c, s, wide.splits, vectors);
  return true;
}

}  // namespace few_tiles
