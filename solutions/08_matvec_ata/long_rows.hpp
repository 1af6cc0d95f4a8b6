#pragma once

#include <algorithm>
#include <cstdint>

#include "two_passes.hpp"
#include "vectors.hpp"

// For columns that even all multiprocessors together cannot hold: two passes over A. A thread takes the same columns of
// several rows at a time. So their elements of v are read once, and many loads are under way at once. On an H200, a row
// at a time (two_passes.hpp) took 1.4 times as long at 7 x 14076631.
namespace long_rows {

constexpr int threads = 256, warps = threads / lanes, resident = 4;  // blocks of a multiprocessor

// Rows. On an H200, more of them took 1.06 times as long at 50 x 1000000 as one after the other in whole vectors.
constexpr int few = 32;

// Of `height` rows, a thread's elements of `width` columns, which are `threads` apart. Zeros beyond the edges.
template <int height, int width>
struct tile {
  float at[height][width];

  __device__ tile(const float* a, int first, int end, unsigned col, unsigned cols, int pitch) {
#pragma unroll
    for (int r = 0; r < height; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k)
        at[r][k] = first + r < end && col + k * threads < cols
                       ? __ldg(a + std::int64_t(first + r) * pitch + col + k * threads)
                       : 0;
  }
};

// Block (x, y) has up to `height` rows, and every gridDim.x-th chunk of the columns, beginning with chunk x. Its parts
// of these rows' elements of b go to `partial`.
template <int height, int width>
__global__ void __launch_bounds__(threads, resident)
    parts_of_rows(const float* a, const float* v, float* partial, int rows, int cols, int pitch) {
  __shared__ float sums[height][warps];
  const int group = divide_up(rows, gridDim.y), first = blockIdx.y * group, end = min(first + group, rows);
  const int chunks = divide_up(cols, threads * width);
  float sum[height] = {};
  for (int chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
    const unsigned col = chunk * unsigned(threads * width) + threadIdx.x;
    float factor[width];
#pragma unroll
    for (int k = 0; k < width; ++k) factor[k] = col + k * threads < cols ? __ldg(v + col + k * threads) : 0;
    const tile<height, width> now{a, first, end, col, unsigned(cols), pitch};
#pragma unroll
    for (int k = 0; k < width; ++k)
#pragma unroll
      for (int r = 0; r < height; ++r) sum[r] += now.at[r][k] * factor[k];
  }
#pragma unroll
  for (int r = 0; r < height; ++r) {
    sum[r] = sum_of_team(sum[r]);
    if (threadIdx.x % lanes == 0) sums[r][threadIdx.x / lanes] = sum[r];
  }
  __syncthreads();
  if (const int row = first + threadIdx.x; row < end) {
    float all = 0;
    for (int w = 0; w < warps; ++w) all += sums[threadIdx.x][w];
    partial[std::int64_t(row) * gridDim.x + blockIdx.x] = all;
  }
}

// The last columns first, which the caches may still hold. If one group has all rows, each block adds up their parts
// for itself; otherwise there is one part.
template <int height, int width>
__global__ void __launch_bounds__(threads, resident)
    columns(const float* a, const float* partial, float* b, float* c, int rows, int cols, int pitch, int parts) {
  __shared__ float few[height];
  wait_for_last_kernel();
  if (const int row = threadIdx.x / lanes; parts > 1 && row < rows) {
    float sum = 0;
#pragma unroll 4
    for (int p = threadIdx.x % lanes; p < parts; p += lanes) sum += partial[row * parts + p];
    sum = sum_of_team(sum);
    if (threadIdx.x % lanes == 0) few[row] = sum;
    if (threadIdx.x % lanes == 0 && blockIdx.x == 0) b[row] = sum;
  }
  __syncthreads();
  const float* const products = parts > 1 ? few : partial;
  for (int chunk = divide_up(cols, threads * width) - 1 - blockIdx.x; chunk >= 0; chunk -= gridDim.x) {
    const unsigned col = chunk * unsigned(threads * width) + threadIdx.x;
    float sum[width] = {};
    for (int first = 0; first < rows; first += height) {
      const tile<height, width> now{a, first, rows, col, unsigned(cols), pitch};
#pragma unroll
      for (int r = 0; r < height; ++r) {
        const float product = first + r < rows ? products[first + r] : 0;
#pragma unroll
        for (int k = 0; k < width; ++k) sum[k] += now.at[r][k] * product;
      }
    }
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (col + k * threads < cols) c[col + k * threads] = sum[k];
  }
}

// How many parts of each row the first pass tells. All blocks read the same rows at a time: more groups of rows at a
// time took 1.07 times as long at 40 x 6000001 on an H200.
template <int width>
int parts_of(const problem& x) {
  return std::min(resident * multiprocessors(), divide_up(x.cols, threads * width));
}

// The rows of these are `pitch` apart. A block of the second pass has one chunk, and a thread one column, or two of few
// rows. With as many blocks as run at a time, and four columns for each thread, 300 x 6000001 took 1.12 times as long.
// One column instead of two took 1.03 times as long at 17 x 2000000, and 0.97 times at 300 x 600001.
template <int height, int width>
void first_pass(const problem& x, int pitch) {
  const int parts = parts_of<width>(x);
  float* partial = scratch(std::size_t(x.rows) * parts);
  parts_of_rows<height, width>
      <<<dim3(parts, divide_up(x.rows, height)), threads>>>(x.a, x.v, partial, x.rows, x.cols, pitch);
  launch_next(two_passes::whole_rows, divide_up(x.rows, two_passes::warps), two_passes::threads, partial, x.b, x.rows,
              parts);
}
template <int height>
void second_pass(const problem& x, int pitch) {
  const int columns_of_thread = x.rows <= few ? 2 : 1;
  launch_next(columns_of_thread == 2 ? columns<height, 2> : columns<height, 1>,
              divide_up(x.cols, columns_of_thread * threads), threads, x.a, x.b, x.b, x.c, x.rows, x.cols, pitch, 1);
}

// If one group has all rows, a launch less.
template <int height, int width>
void launch_tiles(const problem& x) {
  static_assert(height <= warps);
  if (x.rows > height) {
    first_pass<height, width>(x, x.cols);
    second_pass<height>(x, x.cols);
  } else {
    const int parts = parts_of<width>(x);
    float* partial = parts == 1 ? x.b : scratch(std::size_t(x.rows) * parts);
    parts_of_rows<height, width><<<parts, threads>>>(x.a, x.v, partial, x.rows, x.cols, x.cols);
    launch_next(columns<height, width>, parts, threads, x.a, partial, x.b, x.c, x.rows, x.cols, x.cols, parts);
  }
}

// Whether c is complete. Fewer columns would not keep all multiprocessors busy.
inline bool launch(const problem& x) {
  if (x.cols < 8 * threads * multiprocessors()) return false;
  if (x.rows <= 2)
    launch_tiles<2, 8>(x);
  else if (x.rows <= 4)
    launch_tiles<4, 4>(x);
  else
    launch_tiles<8, 4>(x);
  return true;
}

}  // namespace long_rows
