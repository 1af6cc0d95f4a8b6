#pragma once

#include <utility>

#include "thin_products.hpp"

// Few rows of a, or few steps: the time goes to fetching b and storing c, so each element of b is fetched once, and
// many are on their way at the same time.
namespace few_tiles {

constexpr int threads_of_columns = 256, lanes_of_columns = 32;
constexpr int warps_of_columns = threads_of_columns / lanes_of_columns;
constexpr int loads_of_columns = 16;  // elements of b that a thread fetches together

// The warps of a block share the steps of its columns. So a thread has few loads one after the other, where a thread
// for all steps of a column would wait for memory many times. A lane has `width` columns.
template <int rows, int width, class T>
__global__ void __launch_bounds__(threads_of_columns)
    shared_columns_kernel(const T* __restrict__ a, const T* __restrict__ b, float* __restrict__ c, shape s,
                          int length) {
  constexpr int each = loads_of_columns / width, steps = each * warps_of_columns, cols = width * lanes_of_columns;
  __shared__ __align__(16) float from_a[steps][rows], of_warps[warps_of_columns][rows][cols];
  const int warp = threadIdx.x / lanes_of_columns, lane = threadIdx.x % lanes_of_columns;
  const int first = blockIdx.x * cols;
  const part all{length, s.m};
  float sums[rows][width] = {};
  for (int begin = all.first; begin < all.end; begin += steps) {
    // Beyond the last row or column that one is loaded, so that no load waits for a condition. To load the next steps
    // meanwhile takes registers, and 1.3 times as long at 5 x 1000 x 30000.
    T from_b[each][width];
#pragma unroll
    for (int u = 0; u < each; ++u)
#pragma unroll
      for (int j = 0; j < width; ++j)
        from_b[u][j] = b[size_t(min(begin + warp + u * warps_of_columns, all.end - 1)) * s.p +
                         min(first + j * lanes_of_columns + lane, s.p - 1)];
    if (begin > all.first) __syncthreads();  // all are done with the steps before
    for (int e = threadIdx.x; e < steps * rows; e += threads_of_columns) {
      const int i = e / steps, k = e % steps;
      from_a[k][i] = i < s.n && begin + k < all.end ? as_float(a[size_t(i) * s.m + begin + k]) : 0;
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < each; ++u)
#pragma unroll
      for (int j = 0; j < width; ++j) {
        const int k = warp + u * warps_of_columns;
        const float right = begin + k < all.end ? as_float(from_b[u][j]) : 0;
#pragma unroll
        for (int i = 0; i < rows; ++i) sums[i][j] += from_a[k][i] * right;
      }
  }
#pragma unroll
  for (int i = 0; i < rows; ++i)
#pragma unroll
    for (int j = 0; j < width; ++j) of_warps[warp][i][j * lanes_of_columns + lane] = sums[i][j];
  __syncthreads();
  wait_for_zeros();
#pragma unroll
  for (int e = threadIdx.x; e < rows * cols; e += threads_of_columns) {
    const int i = e / cols, x = e % cols;
    float sum = 0;
#pragma unroll
    for (int w = 0; w < warps_of_columns; ++w) sum += of_warps[w][i][x];
    if (i < s.n && first + x < s.p) give(c + size_t(i) * s.p + first + x, sum);
  }
}

/// Whether b is large or has many columns, and the rows are so few that no tile is better.
inline bool shared_columns(const shape& s) {
  constexpr double large = 1e6;
  const bool many = s.p >= 10 * multiprocessors();
  if (s.n > thin) return s.n <= 2 * thin && many && s.p <= 160 * multiprocessors();
  return many || (s.p >= 2 * lanes_of_columns && double(s.m) * s.p >= large);
}

// Blocks that share columns add more sums to c, the more rows it has. So they do where the steps are many, or where the
// multiprocessors would have less than two blocks each.
inline int splits_of_columns(const shape& s, int blocks) {
  constexpr int steps_of_row = 20, least = 64;
  const int many = 8 * multiprocessors() / blocks, few = std::min(2 * multiprocessors() / blocks, s.m / least);
  return std::max(1, std::min(many, std::max(few, s.m / (steps_of_row * s.n))));
}

// The kernel for the next of 1, 2, 3, 4, 6, 8, 12 and 16 rows, and the columns of its lanes.
template <class T, int rows = 1>
std::pair<product<T>, int> shared_columns_for(int n) {
  constexpr int more = rows < 4 ? rows + 1 : rows < thin ? rows + 2 : rows + 4;
  if constexpr (rows < 2 * thin)
    if (n > rows) return shared_columns_for<T, more>(n);
  constexpr int width = rows <= thin ? 4 : 2;
  return {shared_columns_kernel<rows, width, T>, width};
}

/// At most 16 rows.
template <class T>
void launch_shared_columns(const T* a, const T* b, float* c, const shape& s) {
  const auto [kernel, width] = shared_columns_for<T>(s.n);
  const int blocks = divided(s.p, width * lanes_of_columns), length = length_for(splits_of_columns(s, blocks), s.m);
  const int parts = divided(s.m, length);
  launch_after_zeros(c, parts > 1 ? size_t(s.n) * s.p : 0, kernel, dim3(blocks, 1, parts), threads_of_columns, 0, a, b,
                     c, s, length);
}

// At most `steps` steps: a thread keeps four columns of b and computes all rows of its block's group from them. With a
// thread for four elements of a column, as in shallow_kernel, ten loads are issued for each store: 1.4 times as long at
// 60 x 8 x 300001 on an H200.
constexpr int columns_of_shallow = 4, rows_of_group = 32;

template <int steps, bool vectors, class T>
__global__ void __launch_bounds__(threads_of_columns)
    shallow_rows_kernel(const T* __restrict__ a, const T* __restrict__ b, float* __restrict__ c, shape s) {
  __shared__ __align__(16) float from_a[rows_of_group][steps];
  const int groups = divided(s.n, rows_of_group), top = blockIdx.x % groups * rows_of_group;
  const int first = blockIdx.x / groups * (columns_of_shallow * threads_of_columns);
  const auto column = [&](int j) {
    return first + (vectors ? int(threadIdx.x) * columns_of_shallow + j : int(threadIdx.x) + j * threads_of_columns);
  };
  float right[steps][columns_of_shallow];
#pragma unroll
  for (int k = 0; k < steps; ++k)
    if constexpr (vectors) {
      const float4 four = k < s.m && column(0) < s.p ? vector_at(b + size_t(k) * s.p + column(0)) : float4{};
      right[k][0] = four.x, right[k][1] = four.y, right[k][2] = four.z, right[k][3] = four.w;
    } else {
#pragma unroll
      for (int j = 0; j < columns_of_shallow; ++j)
        right[k][j] = k < s.m && column(j) < s.p ? as_float(b[size_t(k) * s.p + column(j)]) : 0;
    }
  for (int e = threadIdx.x; e < rows_of_group * steps; e += threads_of_columns) {
    const int i = e / steps, k = e % steps;
    from_a[i][k] = top + i < s.n && k < s.m ? as_float(a[size_t(top + i) * s.m + k]) : 0;
  }
  __syncthreads();
  const int rows = min(rows_of_group, s.n - top);
  float* to = c + size_t(top) * s.p;
#pragma unroll 2
  for (int i = 0; i < rows; ++i, to += s.p) {
    float sums[columns_of_shallow] = {};
#pragma unroll
    for (int k = 0; k < steps; ++k)
#pragma unroll
      for (int j = 0; j < columns_of_shallow; ++j) sums[j] += from_a[i][k] * right[k][j];
    if constexpr (vectors) {
      if (column(0) < s.p) *reinterpret_cast<float4*>(to + column(0)) = {sums[0], sums[1], sums[2], sums[3]};
    } else {
#pragma unroll
      for (int j = 0; j < columns_of_shallow; ++j)
        if (column(j) < s.p) to[column(j)] = sums[j];
    }
  }
}

inline int blocks_of_shallow_rows(const shape& s) {
  return divided(s.n, rows_of_group) * divided(s.p, columns_of_shallow * threads_of_columns);
}

/// Whether the steps are few, and rows and columns keep half of the multiprocessors busy.
inline bool shallow_rows(const shape& s) {
  return s.m <= 2 * shallow && s.n > parts_of_shallow && s.p >= columns_of_shallow * threads_of_columns &&
         2 * blocks_of_shallow_rows(s) >= multiprocessors();
}

template <class T, int steps = 4>
shallow_product<T> shallow_rows_for(int m, bool vectors) {
  if constexpr (steps < 2 * shallow)
    if (m > steps) return shallow_rows_for<T, steps + 4>(m, vectors);
  return vectors ? shallow_rows_kernel<steps, true, T> : shallow_rows_kernel<steps, false, T>;
}

/// At most 16 steps.
template <class T>
void launch_shallow_rows(const T* a, const T* b, float* c, const shape& s) {
  const bool vectors = s.p % 4 == 0 && is_aligned(b, 4 * sizeof(T)) && is_aligned(c, 4 * sizeof(float));
  const auto kernel = shallow_rows_for<T>(s.m, vectors);
  kernel<<<blocks_of_shallow_rows(s), threads_of_columns>>>(a, b, c, s);
}

}  // namespace few_tiles
