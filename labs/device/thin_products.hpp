#pragma once

#include "product_parts.hpp"

// Products with at most eight rows, columns or steps: no tile would be used well.
namespace few_tiles {

constexpr int thin = 8;  // rows or columns of a thin result, at most
constexpr int threads_of_thin = 256;

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

inline void launch_shallow(const float* a, const float* b, float* c, const shape& s, bool vectors) {
  const long long threads = (long long)(divided(s.n, 4)) * divided(s.p, 4);
  const auto kernel = vectors ? shallow_kernel<true> : shallow_kernel<false>;
  kernel<<<int((threads - 1) / threads_of_shallow + 1), threads_of_shallow>>>(a, b, c, s);
}

}  // namespace few_tiles
