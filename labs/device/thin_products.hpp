#pragma once

#include <algorithm>
#include <cstdint>

#include "product_parts.hpp"

// Products with at most eight columns or 16 steps, or with up to 16 rows of many columns: no tile would be used well.
// The elements are floats, or bf16 as unsigned short; sums are floats.
namespace few_tiles {

constexpr int thin = 8;  // rows or columns of a thin result, at most
constexpr int threads_of_thin = 256;

// Neighbours in memory as floats: 16 bytes at a multiple of 16 bytes, or one.
template <int count>
__device__ void load_as_floats(float (&to)[count], const float* from) {
  if constexpr (count == 1) {
    to[0] = from[0];
  } else {
    const float4 four = vector_at(from);
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
  }
}
template <int count>
__device__ void load_as_floats(float (&to)[count], const unsigned short* from) {
  if constexpr (count == 1) {
    to[0] = as_float(from[0]);
  } else {
    const uint4 pairs = *reinterpret_cast<const uint4*>(from);
    const unsigned two[] = {pairs.x, pairs.y, pairs.z, pairs.w};
#pragma unroll
    for (int i = 0; i < 8; ++i) to[i] = __uint_as_float(i % 2 ? two[i / 2] & 0xffff0000 : two[i / 2] << 16);
  }
}
template <class T>
constexpr int vector_of = 16 / sizeof(T);

// So many columns that every multiprocessor has a block: a thread computes four, as far apart as the block is wide, at
// any address. Shared memory holds the elements of a that all threads need, those of all rows side by side.
constexpr int rows_of_strip = 16;     // at most
constexpr int strip = 4, chunk = 64;  // columns of a thread; k of which shared memory holds a's elements
constexpr int steps_of_strip = 4;     // so many k, whose loads of b wait for memory together

template <class T>
__global__ void __launch_bounds__(threads_of_thin)
    many_columns_kernel(const T* __restrict__ a, const T* __restrict__ b, float* __restrict__ c, shape s, int length) {
  constexpr int rows = rows_of_strip;
  __shared__ __align__(16) float from_a[chunk][rows];
  const int first = blockIdx.x * (strip * threads_of_thin) + threadIdx.x;
  const part all{length, s.m};
  const auto column = [&](int j) { return first + j * threads_of_thin; };
  float sums[rows][strip] = {};
  for (int begin = all.first; begin < all.end; begin += chunk) {
    __syncthreads();  // all are done with the chunk before
    for (int e = threadIdx.x; e < chunk * rows; e += threads_of_thin) {
      const int i = e % rows, k = begin + e / rows;
      from_a[e / rows][i] = i < s.n && k < all.end ? as_float(a[size_t(i) * s.m + k]) : 0;
    }
    __syncthreads();
    for (int k = 0; k < min(chunk, all.end - begin); k += steps_of_strip) {
      // Beyond the last row or column that one is loaded, so that no load waits for a condition.
      T from_b[steps_of_strip][strip];
#pragma unroll
      for (int u = 0; u < steps_of_strip; ++u)
#pragma unroll
        for (int j = 0; j < strip; ++j)
          from_b[u][j] = b[size_t(min(begin + k + u, all.end - 1)) * s.p + min(column(j), s.p - 1)];
#pragma unroll
      for (int u = 0; u < steps_of_strip; ++u)
#pragma unroll
        for (int j = 0; j < strip; ++j) {
          const float right = begin + k + u < all.end ? as_float(from_b[u][j]) : 0;
#pragma unroll
          for (int i = 0; i < rows; ++i) sums[i][j] += from_a[k + u][i] * right;
        }
    }
  }
  wait_for_zeros();
#pragma unroll
  for (int i = 0; i < rows; ++i)
#pragma unroll
    for (int j = 0; j < strip; ++j)
      if (i < s.n && column(j) < s.p) give(c + size_t(i) * s.p + column(j), sums[i][j]);
}

// Adds up what `lanes` neighbours have of the sums of a row, and stores or adds them. One function for all lengths of
// loads: the simulator compiles it once, and nvcc into each kernel.
template <int cols>
__device__ void store_sums_of_lanes(float (&sums)[cols], int lanes, int row, float* c, const shape& s) {
  constexpr int warps = threads_of_thin / 32;
  __shared__ float of_warps[warps][cols];
  const int rows = threads_of_thin / lanes;
#pragma unroll
  for (int j = 0; j < cols; ++j)
    for (int offset = lanes < 32 ? lanes / 2 : 16; offset > 0; offset /= 2)
      sums[j] += __shfl_xor_sync(0xffffffff, sums[j], offset);
  wait_for_zeros();
  if (lanes < 32) {
    if (threadIdx.x % lanes == 0 && row < s.n)
      for (int j = 0; j < cols; ++j) give(c + size_t(row) * cols + j, sums[j]);
    return;
  }
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0)
    for (int j = 0; j < cols; ++j) of_warps[warp][j] = sums[j];
  __syncthreads();
  const int r = threadIdx.x / thin, j = threadIdx.x % thin, of = blockIdx.x * rows + r;
  if (r >= rows || j >= cols || of >= s.n) return;
  float sum = 0;
  for (int w = 0; w < warps / rows; ++w) sum += of_warps[r * (warps / rows) + w][j];
  give(c + size_t(of) * cols + j, sum);
}

// `cols` columns, at most 8: `lanes` threads share a row of a, as in a product of a matrix and a vector: four, a warp,
// or all. With width > 1 rows of a are whole vectors, and so are as many rows of b together.
template <int cols, int lanes, int width, class T>
__global__ void __launch_bounds__(threads_of_thin)
    few_columns_kernel(const T* __restrict__ a, const T* __restrict__ b, float* __restrict__ c, shape s, int length) {
  const int row = blockIdx.x * (threads_of_thin / lanes) + threadIdx.x / lanes;
  const part mine{length, s.m};
  float sums[cols] = {};
  if (row < s.n) {
    const T* from = a + size_t(row) * s.m;
#pragma unroll 4
    for (int k = mine.first + threadIdx.x % lanes * width; k < mine.end; k += lanes * width) {
      float from_a[width], from_b[cols][width];
      load_as_floats(from_a, from + k);
#pragma unroll
      for (int j = 0; j < cols; ++j) load_as_floats(from_b[j], b + size_t(k) * cols + j * width);
#pragma unroll
      for (int i = 0; i < width * cols; ++i) sums[i % cols] += from_a[i / cols] * from_b[i / width][i % width];
    }
  }
  store_sums_of_lanes(sums, lanes, row, c, s);
}

constexpr int shallow = 8;  // common dimension of the kernels below, at most, for floats
constexpr int threads_of_shallow = 256;
constexpr int parts_of_shallow = 4;

// With a short common dimension, writing c takes longest: a thread computes `width` columns of four rows, a quarter of
// c apart, so that neighbouring threads store neighbours. The common dimension has `steps` elements: all loads begin
// before the first product, where a loop over s.m would wait for memory in each of its rounds.
template <int steps, int width, class T>
__global__ void __launch_bounds__(threads_of_shallow)
    shallow_kernel(const T* __restrict__ a, const T* __restrict__ b, float* __restrict__ c, shape s) {
  const int columns = s.p / width, rows = divided(s.n, parts_of_shallow);
  const long long t = (long long)(blockIdx.x) * threads_of_shallow + threadIdx.x;
  const int row = t / columns, col = t % columns * width;
  if (row >= rows) return;
  float right[steps][width] = {}, down[parts_of_shallow][steps] = {};
#pragma unroll
  for (int k = 0; k < steps; ++k) {
    if constexpr (width == 1) {
      right[k][0] = as_float(b[size_t(k) * s.p + col]);
    } else {
      const float4 four = vector_at(b + size_t(k) * s.p + col);
      right[k][0] = four.x, right[k][1] = four.y, right[k][2] = four.z, right[k][3] = four.w;
    }
#pragma unroll
    for (int i = 0; i < parts_of_shallow; ++i)
      if (row + i * rows < s.n) down[i][k] = as_float(a[size_t(row + i * rows) * s.m + k]);
  }
#pragma unroll
  for (int i = 0; i < parts_of_shallow; ++i) {
    float sums[width] = {};
#pragma unroll
    for (int k = 0; k < steps; ++k)
#pragma unroll
      for (int j = 0; j < width; ++j) sums[j] += down[i][k] * right[k][j];
    if (row + i * rows >= s.n) continue;
    float* to = c + size_t(row + i * rows) * s.p + col;
    if constexpr (width == 1)
      *to = sums[0];
    else
      *reinterpret_cast<float4*>(to) = {sums[0], sums[1], sums[2], sums[3]};
  }
}

template <class T>
using shallow_product = void (*)(const T*, const T*, float*, shape);

template <class T, int steps = 1>
shallow_product<T> shallow_product_for(int m, bool vectors) {
  if constexpr (steps < 2 * shallow)
    if (m > steps) return shallow_product_for<T, steps + 1>(m, vectors);
  return vectors ? shallow_kernel<steps, 4, T> : shallow_kernel<steps, 1, T>;
}

/// At most 16 steps. `vectors`: rows of b and c are whole vectors.
template <class T>
void launch_shallow(const T* a, const T* b, float* c, const shape& s, bool vectors) {
  const long long threads = (long long)(divided(s.n, parts_of_shallow)) * (vectors ? s.p / 4 : s.p);
  const auto kernel = shallow_product_for<T>(s.m, vectors);
  kernel<<<int((threads - 1) / threads_of_shallow + 1), threads_of_shallow>>>(a, b, c, s);
}

template <class T>
using product = void (*)(const T*, const T*, float*, shape, int);

// Several blocks share a sum if there are too few for the multiprocessors, but each gets `least` steps.
template <class T>
void launch_thin(product<T> kernel, const T* a, const T* b, float* c, const shape& s, int blocks, int least) {
  const int splits = std::clamp(8 * multiprocessors() / blocks, 1, divided(s.m, least));
  const int length = length_for(splits, s.m);
  launch_after_zeros(c, splits > 1 ? size_t(s.n) * s.p : 0, kernel, dim3(blocks, 1, divided(s.m, length)),
                     threads_of_thin, 0, a, b, c, s, length);
}

/// Whether launch_many_columns keeps all multiprocessors busy, and reads b so few times that no tile is better.
inline bool many_columns(const shape& s) {
  return s.n <= rows_of_strip && divided(s.p, strip * threads_of_thin) >= multiprocessors();
}

template <class T>
void launch_many_columns(const T* a, const T* b, float* c, const shape& s) {
  launch_thin(many_columns_kernel<T>, a, b, c, s, divided(s.p, strip * threads_of_thin), 32);
}

/// Whether a's rows are many, and so short that a warp for each would have little to add up.
inline bool short_rows(const shape& s) { return s.m < 128 && s.n >= threads_of_thin / 4 * multiprocessors(); }

// `vectors`: the loads are those of whole vectors.
template <class T, int cols = 1>
product<T> few_columns_for(int p, int lanes, bool vectors) {
  if constexpr (cols < thin)
    if (p > cols) return few_columns_for<T, cols + 1>(p, lanes, vectors);
  constexpr int width = vector_of<T>, all = threads_of_thin;
  // On an H100, four lanes are 1.1 times as fast with vectors at five columns, and 0.5 times at eight.
  constexpr int width_of_four = sizeof(T) == sizeof(float) && cols <= 5 ? width : 1;
  if (lanes == 4) return vectors ? few_columns_kernel<cols, 4, width_of_four, T> : few_columns_kernel<cols, 4, 1, T>;
  if (lanes == 32) return vectors ? few_columns_kernel<cols, 32, width, T> : few_columns_kernel<cols, 32, 1, T>;
  return vectors ? few_columns_kernel<cols, all, width, T> : few_columns_kernel<cols, all, 1, T>;
}

/// At most `thin` columns.
template <class T>
void launch_few_columns(const T* a, const T* b, float* c, const shape& s) {
  constexpr int width = vector_of<T>;
  const bool whole = s.m % width == 0 && is_aligned(a, 16) && is_aligned(b, 16), long_rows = s.m >= 32 * width;
  const bool warps = s.n >= 8 * multiprocessors() && s.m <= 16 * threads_of_thin;  // enough rows for all of them
  const int lanes = short_rows(s) ? 4 : warps ? 32 : threads_of_thin;
  const auto kernel = few_columns_for<T>(s.p, lanes, whole && (lanes == 4 || long_rows));
  const int blocks = divided(s.n, threads_of_thin / lanes);
  launch_thin(kernel, a, b, c, s, blocks, 4 * threads_of_thin * (whole && long_rows ? width : 1));
}

}  // namespace few_tiles
