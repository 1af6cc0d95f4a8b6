#pragma once

#include <cuda_pipeline.h>
#include <mma.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "../device/product_parts.hpp"
#include "any_address.hpp"

// Products of many rows and few columns, or of few rows and many columns, along few steps. Memory's bandwidth is their
// limit: the tensor cores only keep the arithmetic from taking longer. All elements of a tile are fetched at once, from
// any address, and a ring would gain nothing.
namespace slim {

using any_address::eight;
using any_address::matrix;
using few_tiles::shape;

constexpr int side = 16, most = 64;   // of the tensor cores' tiles; steps, and rows or columns
constexpr int warps = 4, lanes = 32;  // of a block
constexpr int padding = 8;            // elements: rows that are read together are in different banks

__host__ __device__ constexpr int whole(int extent) { return (extent + side - 1) / side * side; }

// A warp has `row_tiles` x `col_tiles` tiles. The warps of a block are below each other if c is tall, else beside.
template <int row_tiles_, int col_tiles_, bool tall_>
struct form {
  static constexpr int row_tiles = row_tiles_, col_tiles = col_tiles_;
  static constexpr bool tall = tall_;
  static constexpr int rows = row_tiles * side * (tall ? warps : 1), cols = col_tiles * side * (tall ? 1 : warps);
  static constexpr int strip = col_tiles * side + 4;  // a row of a warp's sums on their way to c
};

// Brings a part of a matrix to shared memory, zeros beyond its edges. `vectors`: rows begin at multiples of 16 bytes.
// With all loads of a thread before its first store, 20 x 60 x 300001 took 1.5 times as long.
template <bool vectors>
__device__ void fetch(__nv_bfloat16* to, int stride, const matrix& from, int first_row, int first_col, int rows,
                      int cols) {
  const int eights = cols / 8, count = rows * eights;
#pragma unroll 4
  for (int i = threadIdx.x; i < count; i += warps * lanes) {
    const int y = i / eights, x = i % eights * 8, row = first_row + y, col = first_col + x;
    auto* const place = reinterpret_cast<uint4*>(to + y * stride + x);
    if constexpr (vectors) {
      const bool exists = row < from.height && col < from.width;
      __pipeline_memcpy_async(place, from.data + (exists ? size_t(row) * from.width + col : 0), 16, exists ? 0 : 16);
    } else {
      eight one;
      one.load(from, row, col);
      *place = one.elements();
    }
  }
}

// A warp's sums of 16 rows, from shared memory to neighbours in c. `floats`: so many at once.
template <int floats>
__device__ void store(float* c, const float* strip, int stride, int rows, int width, int p) {
  const int parts = width / floats;
  const unsigned inverse = (1u << 20) / max(parts, 1) + 1;  // in units of 2^-20: exact for so few elements
#pragma unroll 4
  for (int e = threadIdx.x % lanes; e < rows * parts; e += lanes) {
    const int r = (e * inverse) >> 20, q = (e - r * parts) * floats;
    using part = std::conditional_t<floats == 4, float4, float>;
    __stcs(reinterpret_cast<part*>(c + size_t(r) * p + q), *reinterpret_cast<const part*>(strip + r * stride + q));
  }
}

template <class Form, bool vectors>
__global__ void __launch_bounds__(warps* lanes) kernel(matrix a, matrix b, float* __restrict__ c, shape s) {
  using namespace nvcuda::wmma;
  extern __shared__ uint4 memory[];
  const int steps = whole(s.m), a_stride = steps + padding;
  constexpr int b_stride = Form::cols + padding;
  auto* const of_a = reinterpret_cast<__nv_bfloat16*>(memory);
  auto* const of_b = of_a + Form::rows * a_stride;
  const int row = Form::tall ? blockIdx.x * Form::rows : 0, col = Form::tall ? 0 : blockIdx.x * Form::cols;
  fetch<vectors>(of_a, a_stride, a, row, 0, Form::rows, steps);
  fetch<vectors>(of_b, b_stride, b, 0, col, steps, Form::cols);
  if (vectors) __pipeline_commit(), __pipeline_wait_prior(0);
  __syncthreads();

  const int warp = threadIdx.x / lanes;
  const int y = Form::tall ? warp * Form::row_tiles * side : 0, x = Form::tall ? 0 : warp * Form::col_tiles * side;
  fragment<accumulator, side, side, side, float> sums[Form::row_tiles][Form::col_tiles];
#pragma unroll
  for (auto& of_row : sums)
#pragma unroll
    for (auto& sum : of_row) fill_fragment(sum, 0.f);
  for (int k = 0; k < steps; k += side) {
    fragment<matrix_b, side, side, side, __nv_bfloat16, row_major> right[Form::col_tiles];
#pragma unroll
    for (int j = 0; j < Form::col_tiles; ++j) load_matrix_sync(right[j], of_b + k * b_stride + x + j * side, b_stride);
#pragma unroll
    for (int i = 0; i < Form::row_tiles; ++i) {
      fragment<matrix_a, side, side, side, __nv_bfloat16, row_major> left;
      load_matrix_sync(left, of_a + (y + i * side) * a_stride + k, a_stride);
#pragma unroll
      for (int j = 0; j < Form::col_tiles; ++j) mma_sync(sums[i][j], left, right[j], sums[i][j]);
    }
  }
  __syncthreads();  // all are done with a and b: the sums take their place

  float* const strip = reinterpret_cast<float*>(memory) + warp * side * Form::strip;
  const int width = min(Form::col_tiles * side, s.p - col - x);
  const bool fours = s.p % 4 == 0 && reinterpret_cast<std::uintptr_t>(c) % 16 == 0;
#pragma unroll
  for (int i = 0; i < Form::row_tiles; ++i) {
#pragma unroll
    for (int j = 0; j < Form::col_tiles; ++j)
      store_matrix_sync(strip + j * side, sums[i][j], Form::strip, mem_row_major);
    __syncwarp();
    const int top = row + y + i * side, here = min(side, s.n - top);
    float* const to = c + size_t(top) * s.p + col + x;
    if (fours)
      store<4>(to, strip, Form::strip, here, width, s.p);
    else
      store<1>(to, strip, Form::strip, here, width, s.p);
    __syncwarp();
  }
}

template <class Form>
void launch(const matrix& a, const matrix& b, float* c, const shape& s, bool vectors) {
  const int steps = whole(s.m),
            blocks = few_tiles::divided(Form::tall ? s.n : s.p, Form::tall ? Form::rows : Form::cols);
  const int tiles = 2 * (Form::rows * (steps + padding) + steps * (Form::cols + padding));
  const int strips = sizeof(float) * warps * side * Form::strip;
  const auto k = vectors ? kernel<Form, true> : kernel<Form, false>;
  k<<<blocks, warps * lanes, std::max(tiles, strips)>>>(a, b, c, s);
}

/// Whether the product is so slim, and has a tile for each multiprocessor: at 20001 x 30 x 40 1.17 times as fast as the
/// small tiles on an H200. At 100001 x 60 x 60 the ring is 1.3 times as fast, at 150001 x 50 x 50 0.92 times.
inline bool takes(const shape& s) {
  const int shorter = std::min(s.n, s.p), longer = std::max(s.n, s.p);
  const bool few_rows = s.n > 2 && s.m > 8;
  return s.m > 6 && (s.n > 8 || few_rows) && s.p > 8 && std::max(s.m, shorter) <= most && s.m * shorter <= 2560 &&
         longer >= 128 * few_tiles::multiprocessors();
}

/// `fits`: all rows of a and b begin at multiples of 16 bytes. To copy them past the registers is 1.23 times as fast at
/// 36 x 40 x 250000 on an H200, but 0.75 times at 30 x 24 x 600000.
inline void multiply(const unsigned short* a, const unsigned short* b, float* c, const shape& s, bool fits) {
  const bool vectors = fits && s.m > 24;
  const auto run = [&](auto tall_launch, auto wide_launch) {
    (s.n > s.p ? tall_launch : wide_launch)(matrix{a, s.n, s.m}, matrix{b, s.m, s.p}, c, s, vectors);
  };
  const int tiles = few_tiles::divided(std::min(s.n, s.p), side);
  if (tiles == 1)
    run(launch<form<2, 1, true>>, launch<form<1, 2, false>>);
  else if (tiles == 2)
    run(launch<form<2, 2, true>>, launch<form<2, 2, false>>);
  else if (tiles == 3)
    run(launch<form<2, 3, true>>, launch<form<3, 2, false>>);
  else
    run(launch<form<2, 4, true>>, launch<form<4, 2, false>>);
}

}  // namespace slim
