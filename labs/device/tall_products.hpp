#pragma once

#include <algorithm>
#include <cstdint>

#include "product_parts.hpp"

// Products of many short rows with few columns. A block's rows of a are one piece of memory, and so are its rows of c.
// All threads copy a's piece to shared memory and c's piece from there, so neighbouring threads move neighbours however
// long a row is. Between the copies, a thread multiplies whole rows.
namespace few_tiles {

constexpr int threads_of_tall = 128;
constexpr int most_of_tall = 48, most_products = 1024;  // steps or columns; both multiplied

// Where the elements of a piece of memory with rows of `width` are in shared memory. There the rows have an odd length,
// so that the elements of a column are in different banks.
struct odd_rows {
  int width, wider;
  unsigned inverse;  // of the width, in units of 2^-20: exact for so few elements

  __device__ explicit odd_rows(int width_) : width{width_}, wider{1 - width_ % 2}, inverse{(1u << 20) / width_ + 1} {}

  __device__ int stride() const { return width + wider; }
  __device__ int row_of(int element) const { return int((element * inverse) >> 20); }
  __device__ int place_of(int element) const { return element + wider * row_of(element); }
};

__device__ inline void copy_piece(float* to, const odd_rows& rows, const float* from, int count) {
  constexpr int width = 4;
  int done = 0;
  if (reinterpret_cast<std::uintptr_t>(from) % 16 == 0) {
    done = count / width * width;
#pragma unroll 4
    for (int i = threadIdx.x * width; i < done; i += threads_of_tall * width) {
      const float4 four = *reinterpret_cast<const float4*>(from + i);
      to[rows.place_of(i)] = four.x, to[rows.place_of(i + 1)] = four.y;
      to[rows.place_of(i + 2)] = four.z, to[rows.place_of(i + 3)] = four.w;
    }
  }
#pragma unroll 8
  for (int i = done + threadIdx.x; i < count; i += threads_of_tall) to[rows.place_of(i)] = from[i];
}

// A thread has `each` rows, a block's threads apart, and `cols` columns of c at a time, a multiple of four.
template <int cols, int each>
__global__ void __launch_bounds__(threads_of_tall)
    tall_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, shape s) {
  constexpr int rows = threads_of_tall * each;
  extern __shared__ float4 memory[];
  const odd_rows of_a{s.m};
  const int first = blockIdx.x * rows, here = min(rows, s.n - first), t = threadIdx.x;
  auto* right = reinterpret_cast<float(*)[cols]>(memory);
  float* const left = right[s.m];
  float* const out = s.p > cols ? left + rows * of_a.stride() : left;  // a's elements are needed again
  const float* row[each];  // beyond the last row that one: nothing else has a value
#pragma unroll
  for (int i = 0; i < each; ++i) row[i] = left + min(t + i * threads_of_tall, here - 1) * of_a.stride();
  copy_piece(left, of_a, a + size_t(first) * s.m, here * s.m);
  for (int col = 0; col < s.p; col += cols) {
    const int width = min(cols, s.p - col);
    for (int i = t; i < s.m * cols; i += threads_of_tall)
      right[i / cols][i % cols] = i % cols < width ? b[i / cols * s.p + col + i % cols] : 0;
    __syncthreads();
    float sums[each][cols] = {};
#pragma unroll 2
    for (int k = 0; k < s.m; ++k) {
#pragma unroll
      for (int j = 0; j < cols; j += 4) {
        const float4 w = *reinterpret_cast<const float4*>(&right[k][j]);
#pragma unroll
        for (int i = 0; i < each; ++i) {
          const float x = row[i][k];
          sums[i][j] += x * w.x, sums[i][j + 1] += x * w.y, sums[i][j + 2] += x * w.z, sums[i][j + 3] += x * w.w;
        }
      }
    }
    __syncthreads();  // all are done with the columns of b, and with the rows of a if `out` is there
    const odd_rows of_c{width};
#pragma unroll
    for (int i = 0; i < each; ++i)
#pragma unroll
      for (int j = 0; j < cols; ++j)
        if (j < width) out[(t + i * threads_of_tall) * of_c.stride() + j] = sums[i][j];
    __syncthreads();
    float* const to = c + size_t(first) * s.p + col;
#pragma unroll 4
    for (int i = t; i < here * width; i += threads_of_tall)
      to[i + of_c.row_of(i) * (s.p - width)] = out[of_c.place_of(i)];
  }
}

/// Whether a and c are long enough for all multiprocessors, and so narrow that a tile would be used badly.
inline bool tall(const shape& s) {
  return s.m > 6 && s.p > 8 && std::max(s.m, s.p) <= most_of_tall && s.m * s.p <= most_products &&
         s.n >= threads_of_tall * multiprocessors();
}

// A thread has two rows if a row is short and the rows are many. Compared with one row, on an H200: 1.08 times as fast
// at 407206 x 14 x 20, and 0.87 times at 200001 x 30 x 30.
template <int cols = 12, int each = 2>
void launch_tall(const float* a, const float* b, float* c, const shape& s) {
  constexpr int rows = each * threads_of_tall;
  const int groups = divided(s.p, 32);
  if constexpr (cols < 32)
    if (divided(s.p, groups) > cols) return launch_tall<cols + 4, (cols < 20 ? each : 1)>(a, b, c, s);
  if constexpr (each > 1)
    if (s.n < rows * multiprocessors()) return launch_tall<cols, 1>(a, b, c, s);
  const int of_a = rows * (s.m | 1), of_c = rows * (std::min(cols, s.p) | 1);
  const int bytes = sizeof(float) * (s.m * cols + (groups > 1 ? of_a + of_c : std::max(of_a, of_c)));
  const auto kernel = tall_kernel<cols, each>;
  if (bytes > 48 * 1024) cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<divided(s.n, rows), threads_of_tall, bytes>>>(a, b, c, s);
}

}  // namespace few_tiles
