#pragma once

#include <cuda_pipeline.h>
#include <mma.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "../device/few_tiles.hpp"
#include "../device/product_parts.hpp"
#include "any_address.hpp"

// Products of few steps: all elements of a tile are fetched at once, from any address, and a ring would gain nothing.
// The tensor cores only keep the arithmetic from taking longer.
namespace slim {

using any_address::eight;
using any_address::matrix;
using few_tiles::shape;

constexpr int side = 16, most = 64;   // of the tensor cores' tiles; steps and rows
constexpr int warps = 4, lanes = 32;  // of a block
constexpr int sector = 8;             // floats that memory writes at once
constexpr int padding = 8;            // elements: rows that are read together are in different banks

__host__ __device__ constexpr int whole(int extent) { return (extent + side - 1) / side * side; }

// A warp has `row_tiles` x `col_tiles` tiles; the warps of a block are beside each other. `sectors`: rows of c begin
// anywhere, and blocks beside each other share columns, so that each stores whole sectors.
template <int row_tiles_, int col_tiles_, bool sectors_ = false>
struct form {
  static constexpr int row_tiles = row_tiles_, col_tiles = col_tiles_;
  static constexpr int rows = row_tiles * side, cols = col_tiles * side * warps;
  static constexpr bool sectors = sectors_;
  static constexpr int own_cols = cols - (sectors ? sector : 0);         // that it stores in a row
  static constexpr int strip = (sectors ? cols : col_tiles * side) + 4;  // a row of a block's or a warp's sums
  static constexpr int strips = sectors ? 1 : warps;
};

__device__ inline bool begins_at(const matrix& from, int bytes) {
  return from.width * 2 % bytes == 0 && reinterpret_cast<std::uintptr_t>(from.data) % bytes == 0;
}

// Where element `i` of a tile is, if a row has so many.
struct row_and_place {
  int row, place;

  __device__ row_and_place(unsigned i, int of_row) {
    const unsigned inverse = (1u << 20) / unsigned(of_row) + 1;  // in units of 2^-20: exact for so few elements
    row = int((i * inverse) >> 20), place = int(i) - row * of_row;
  }
};

// Copies so many bytes at once past the registers.
template <int bytes>
__device__ void copy(__nv_bfloat16* to, int stride, const matrix& from, int first_row, int first_col, int rows,
                     int cols) {
  constexpr int width = bytes / 2;
#pragma unroll 4
  for (int i = threadIdx.x; i < rows * cols / width; i += warps * lanes) {
    const row_and_place at{unsigned(i), cols / width};
    const int row = first_row + at.row, col = first_col + at.place * width;
    const bool exists = row < from.height && col < from.width;
    __pipeline_memcpy_async(to + at.row * stride + at.place * width,
                            from.data + (exists ? size_t(row) * from.width + col : 0), bytes, exists ? 0 : bytes);
  }
}

// Brings a part of a matrix to shared memory, zeros beyond its edges. With all loads of a thread before its first
// store, 20 x 60 x 300001 took 1.5 times as long.
__device__ inline void fetch(__nv_bfloat16* to, int stride, const matrix& from, int first_row, int first_col, int rows,
                             int cols) {
  if (begins_at(from, 16)) return copy<16>(to, stride, from, first_row, first_col, rows, cols);
  if (begins_at(from, 4)) return copy<4>(to, stride, from, first_row, first_col, rows, cols);
  // Four loads of a thread begin before its first store: 1.2 times as fast at 233 x 17 x 499, 1.15 at 160 x 33 x 1000.
  constexpr int batch = 4, threads = warps * lanes;
  const int eights = cols / 8, count = rows * eights;
  for (int first = threadIdx.x; first < count; first += batch * threads) {
    eight some[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      const int i = first + j * threads;
      if (i < count) some[j].load(from, first_row + i / eights, first_col + i % eights * 8);
    }
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      const int i = first + j * threads;
      if (i < count) *reinterpret_cast<uint4*>(to + i / eights * stride + i % eights * 8) = some[j].elements();
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
    *reinterpret_cast<part*>(c + size_t(r) * p + q) = *reinterpret_cast<const part*>(strip + r * stride + q);
  }
}

// A block's sums of 16 rows, from shared memory to c. In a row they begin with the sector that begins next, if these
// are not the first columns, and end where the next block's begin. `width`: of c from here on.
template <class Form>
__device__ void store_sectors(float* c, const float* strip, int rows, int width, int p, bool first) {
  for (int r = threadIdx.x / lanes; r < rows; r += warps) {
    float* const to = c + size_t(r) * p;
    const int skipped = -(reinterpret_cast<std::uintptr_t>(to) / sizeof(float)) % sector;
    const int begin = first ? 0 : skipped, end = min(Form::own_cols + skipped, width);
#pragma unroll
    for (int e = 0; e < Form::cols; e += lanes) {
      const int at = begin + e + threadIdx.x % lanes;
      if (at < end) to[at] = strip[r * Form::strip + at];
    }
  }
}

template <class Form>
__global__ void __launch_bounds__(warps* lanes) kernel(matrix a, matrix b, float* __restrict__ c, shape s) {
  using namespace nvcuda::wmma;
  extern __shared__ uint4 memory[];
  const int steps = whole(s.m), a_stride = steps + padding;
  constexpr int b_stride = Form::cols + padding;
  auto* const of_a = reinterpret_cast<__nv_bfloat16*>(memory);
  auto* const of_b = of_a + Form::rows * a_stride;
  const int down = few_tiles::divided(s.n, Form::rows);
  const int row = int(blockIdx.x) % down * Form::rows, col = int(blockIdx.x) / down * Form::own_cols;
  fetch(of_a, a_stride, a, row, 0, Form::rows, steps);
  fetch(of_b, b_stride, b, 0, col, steps, Form::cols);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();

  const int warp = threadIdx.x / lanes;
  const int x = warp * Form::col_tiles * side;
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
      load_matrix_sync(left, of_a + i * side * a_stride + k, a_stride);
#pragma unroll
      for (int j = 0; j < Form::col_tiles; ++j) mma_sync(sums[i][j], left, right[j], sums[i][j]);
    }
  }
  __syncthreads();  // all are done with a and b: the sums take their place

  float* const strip = reinterpret_cast<float*>(memory) + (Form::sectors ? x : warp * side * Form::strip);
  const int width = max(0, min(Form::col_tiles * side, s.p - col - x));
  const bool fours = s.p % 4 == 0 && reinterpret_cast<std::uintptr_t>(c) % 16 == 0;
#pragma unroll
  for (int i = 0; i < Form::row_tiles; ++i) {
#pragma unroll
    for (int j = 0; j < Form::col_tiles; ++j)
      store_matrix_sync(strip + j * side, sums[i][j], Form::strip, mem_row_major);
    const int top = row + i * side, here = min(side, s.n - top);
    float* const to = c + size_t(top) * s.p + col;
    if constexpr (Form::sectors) {
      __syncthreads();
      store_sectors<Form>(to, strip - x, here, s.p - col, s.p, col == 0);
      __syncthreads();
    } else {
      __syncwarp();
      if (fours)
        store<4>(to + x, strip, Form::strip, here, width, s.p);
      else
        store<1>(to + x, strip, Form::strip, here, width, s.p);
      __syncwarp();
    }
  }
}

// What the host needs to know of a form.
struct form_facts {
  void (*kernel)(matrix, matrix, float*, shape);
  int rows, cols, own_cols, floats;  // floats of its strips
};
template <int row_tiles, int col_tiles, bool sectors = false>
form_facts facts() {
  using own = form<row_tiles, col_tiles, sectors>;
  return {kernel<own>, own::rows, own::cols, own::own_cols, own::strips * side * own::strip};
}

inline void launch(const form_facts& form, const matrix& a, const matrix& b, float* c, const shape& s) {
  const int steps = whole(s.m), blocks = few_tiles::divided(s.n, form.rows) * few_tiles::divided(s.p, form.own_cols);
  const int tiles = 2 * (form.rows * (steps + padding) + steps * (form.cols + padding));
  const int strips = sizeof(float) * form.floats;
  form.kernel<<<blocks, warps * lanes, std::max(tiles, strips)>>>(a, b, c, s);
}

/// Whether the product has a tile for each multiprocessor, and so few rows and steps that b is read once.
inline bool takes(const shape& s) {
  return s.m > (s.n > few_tiles::thin ? 6 : 8) && s.n > 2 && s.p > 8 && std::max(s.m, s.n) <= most &&
         s.m * s.n <= 2560 && s.p >= 128 * few_tiles::multiprocessors();
}

inline void multiply(const unsigned short* a, const unsigned short* b, float* c, const shape& s) {
  const form_facts form = s.n <= side       ? facts<1, 2>()
                          : s.n <= 2 * side ? facts<2, 2>()
                          : s.n <= 3 * side ? facts<3, 2>()
                                            : facts<4, 2>();
  launch(form, {a, s.n, s.m}, {b, s.m, s.p}, c, s);
}

/// Tiles of 64 rows store whole sectors if rows of c are not whole parts of so many elements. With few columns one more
/// tile takes longer than stores of half sectors: 1.1 times at 6000 x 50 x 1100 on an H200.
inline int parts_of_rows(int p) { return p < 2048 ? sector / 2 : sector; }

/// With tiles of 16 or 32 rows and 64 columns, or of 64 rows and 128 columns. These store whole sectors of c: 1.2 times
/// as fast at 3001 x 16 x 4001 on an H200 as from warp to warp, no faster with the smaller tiles.
inline void multiply_in_tiles(const unsigned short* a, const unsigned short* b, float* c, const shape& s, int rows) {
  const int whole_parts = parts_of_rows(s.p);
  const bool whole_rows = s.p % whole_parts == 0 && few_tiles::is_aligned(c, whole_parts * sizeof(float));
  const form_facts form = rows == side       ? facts<1, 1>()
                          : rows == 2 * side ? facts<2, 1>()
                          : whole_rows       ? facts<4, 2>()
                                             : facts<4, 2, true>();
  launch(form, {a, s.n, s.m}, {b, s.m, s.p}, c, s);
}

/// Whether c is so large, and the steps are so many, that such tiles take less time than a thread for four elements:
/// 0.65 of it at 3001 x 8 x 4001 on an H200, 0.85 at 15000 x 8 x 15000, 0.76 at 93695 x 8 x 512.
inline bool beats_threads(const shape& s) {
  const bool fours = s.p % 4 == 0;
  return s.n > most && s.p > most && s.m > (fours ? 6 : 2) && double(s.n) * (s.m - 2) * s.p >= (fours ? 6e7 : 2e7);
}

}  // namespace slim
