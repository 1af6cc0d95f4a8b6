#pragma once

#include <algorithm>

#include "sums.hpp"
#include "vectors.hpp"

// For rows that even all multiprocessors together cannot share, and for too few rows to give every multiprocessor one:
// first b, then c.
namespace two_passes {

constexpr int threads = 256, warps = threads / lanes, most_rows = 256;

// Block i has part i / rows of row i % rows: blocks that run together share their part of v. `cols` counts vectors.
template <class Vector>
__global__ void __launch_bounds__(threads)
    parts_of_rows(const Vector* a, const Vector* v, float* partial, int cols, int parts, int length) {
  const int rows = gridDim.x / parts, row_index = blockIdx.x % rows, part = blockIdx.x / rows;
  const int begin = part * length, end = min(begin + length, cols);
  const Vector* row = a + std::int64_t(row_index) * cols;
  float sum = 0;
#pragma unroll 4
  for (int col = begin + threadIdx.x; col < end; col += threads) sum += dot(row[col], v[col]);
  __shared__ float sums[warps];
  sum = sum_of_team(sum);
  if (threadIdx.x % lanes == 0) sums[threadIdx.x / lanes] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < warps; ++w) sum += sums[w];
  partial[std::int64_t(row_index) * parts + part] = sum;
}

// A warp adds up the parts of each row.
__global__ void whole_rows(const float* partial, float* b, int rows, int parts) {
  const int row = blockIdx.x * warps + threadIdx.x / lanes;
  wait_for_last_kernel();
  if (row >= rows) return;
  float sum = 0;
  for (int p = threadIdx.x % lanes; p < parts; p += lanes) sum += partial[std::int64_t(row) * parts + p];
  sum = sum_of_team(sum);
  if (threadIdx.x % lanes == 0) b[row] = sum;
}

// The sums of `parts` for `count` rows, `step` apart: a warp adds up many parts, one thread a few.
__device__ inline void add_parts(const float* partial, float* products, int last, int step, int count, int parts) {
  constexpr int many = 32;
  const int members = parts < many ? 1 : lanes, member = threadIdx.x % members;
  for (int i = threadIdx.x / members; i < count; i += threads / members) {
    const float* from = partial + std::int64_t(last - i * step) * parts;
    float sum = 0;
    for (int p = member; p < parts; p += members) sum += from[p];
    if (members > 1) sum = sum_of_team(sum);
    if (member == 0) products[i] = sum;
  }
}

// A lane has one vector of columns. Block y takes every gridDim.y-th row, and one of `down` warps every `down`-th of
// these, the last ones first, which the caches may still hold. Elements of b are sums of `parts`.
template <class Vector, int down>
__global__ void __launch_bounds__(threads)
    columns(const Vector* a, const float* partial, float* b, Vector* c, int rows, int cols, int parts) {
  __shared__ float products[most_rows];
  __shared__ Vector sums[warps][lanes];
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes % down;
  const int col = (blockIdx.x * (warps / down) + threadIdx.x / (lanes * down)) * lanes + lane;
  const int last = rows - 1 - int(blockIdx.y), step = gridDim.y;
  Vector sum = {};
  wait_for_last_kernel();
  for (int done = 0; done <= last / step; done += most_rows) {
    const int now = min(last / step + 1 - done, most_rows);
    __syncthreads();
    add_parts(partial, products, last - done * step, step, now, parts);
    __syncthreads();
    if (b && blockIdx.x == 0 && threadIdx.x < now) b[last - (done + int(threadIdx.x)) * step] = products[threadIdx.x];
    if (col >= cols) continue;
    const Vector* from = a + std::int64_t(last - (done + warp) * step) * cols + col;
#pragma unroll 8
    for (int i = warp; i < now; i += down, from -= std::int64_t(down) * step * cols)
      sum = sum_of_product(sum, __ldcs(from), products[i]);
  }
  sums[threadIdx.x / lanes][lane] = sum;
  __syncthreads();
  if (warp > 0 || col >= cols) return;
#pragma unroll
  for (int w = 1; w < down; ++w) sum = sum_of(sum, sums[threadIdx.x / lanes + w][lane]);
  bring_to(c + col, sum, gridDim.y == 1);
}

// `groups` of blocks have rows of their own. If they are several, c has been cleared. `first`: no kernel of the call is
// ahead.
template <class Vector>
void launch_columns(bool first, const Vector* a, const float* partial, float* b, Vector* c, int rows, int cols,
                    int parts, int groups) {
  constexpr int few_rows = 16;
  const int blocks = divide_up(cols, threads);  // where each thread has columns of its own
  if (rows < few_rows || blocks > 4 * multiprocessors())
    few_tiles::launch_kernel(!first, columns<Vector, 1>, dim3(blocks, groups), threads, 0, a, partial, b, c, rows, cols,
                             parts);
  else
    few_tiles::launch_kernel(!first, columns<Vector, warps>, dim3(divide_up(cols, lanes), groups), threads, 0, a,
                             partial, b, c, rows, cols, parts);
}

// In how many parts a row is read, their length, and how many groups of blocks have rows of their own in the second
// pass.
struct split {
  int length, parts, groups;
};

template <class Vector>
split split_of(const problem& x) {
  constexpr int vectors_of_part = 4 * threads, rows_of_group = 8 * warps;  // at least, for loads that overlap
  const int cols = x.cols * sizeof(float) / sizeof(Vector), busy = 8 * multiprocessors();
  const int length = divide_up(cols, std::min(divide_up(busy, x.rows), divide_up(cols, vectors_of_part)));
  return {length, divide_up(cols, length),
          std::min(divide_up(x.rows, rows_of_group), divide_up(busy, divide_up(cols, lanes)))};
}

template <class Vector>
void launch(const problem& x) {
  auto [length, parts, groups] = split_of<Vector>(x);
  constexpr int many_columns = 1 << 20;  // whose blocks would all add up the same parts
  const int cols = x.cols * sizeof(float) / sizeof(Vector);
  const auto a = reinterpret_cast<const Vector*>(x.a), v = reinterpret_cast<const Vector*>(x.v);
  float* partial = parts == 1 ? x.b : scratch(std::size_t(parts) * x.rows);
  if (groups > 1) few_tiles::launch_zeros(x.c, x.cols);
  parts_of_rows<<<x.rows * parts, threads>>>(a, v, partial, cols, parts, length);
  if (parts > 1 && cols > many_columns) {
    launch_next(whole_rows, divide_up(x.rows, warps), threads, partial, x.b, x.rows, parts);
    partial = x.b, parts = 1;
  }
  launch_columns(false, a, partial, parts == 1 ? nullptr : x.b, reinterpret_cast<Vector*>(x.c), x.rows, cols, parts,
                 groups);
}

}  // namespace two_passes
