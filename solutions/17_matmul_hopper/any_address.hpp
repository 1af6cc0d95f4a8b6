#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "../device/product_parts.hpp"

// Matrices of bf16 whose rows begin anywhere, so that neither TMA nor loads of 16 bytes can fetch them as they are.
namespace any_address {

struct matrix {
  const unsigned short* data;
  int height, width;

  __device__ size_t count() const { return size_t(height) * width; }
};

// Of two neighbouring vectors the eight elements that begin with number `shift`, 0 to 7.
__device__ inline uint4 eight_of(const uint4& left, const uint4& right, unsigned shift) {
  unsigned w[8] = {left.x, left.y, left.z, left.w, right.x, right.y, right.z, right.w};
#pragma unroll
  for (int i = 0; i < 6; ++i) w[i] = shift & 4 ? w[i + 2] : w[i];
#pragma unroll
  for (int i = 0; i < 5; ++i) w[i] = shift & 2 ? w[i + 1] : w[i];
  const unsigned bits = shift & 1 ? 16 : 0;
  return {__funnelshift_r(w[0], w[1], bits), __funnelshift_r(w[1], w[2], bits), __funnelshift_r(w[2], w[3], bits),
          __funnelshift_r(w[3], w[4], bits)};
}

// Eight neighbours of a row, on their way: the two vectors around them, or the elements one by one where these vectors
// would reach beyond the matrix.
struct eight {
  uint4 left{}, right{};
  unsigned shift = 0;
  int valid = 0;

  __device__ void load(const matrix& from, int row, int col) {
    left = right = uint4{};
    shift = 0;
    valid = row < from.height ? min(8, from.width - col) : 0;
    if (valid <= 0) return;
    const size_t at = size_t(row) * from.width + col;
    const unsigned short* first = from.data + at;
    const unsigned off = reinterpret_cast<std::uintptr_t>(first) % 16 / 2;
    if (at >= off && at - off + (off ? 16 : 8) <= from.count()) {
      const auto* vectors = reinterpret_cast<const uint4*>(first - off);
      shift = off;
      left = __ldg(vectors);
      if (off) right = __ldg(vectors + 1);
      return;
    }
    unsigned w[4] = {};
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if (i < valid) w[i / 2] |= unsigned(first[i]) << i % 2 * 16;
    left = {w[0], w[1], w[2], w[3]};
  }

  // With zeros beyond the row's end.
  __device__ uint4 elements() const {
    uint4 all = eight_of(left, right, shift);
    if (valid >= 8) return all;
    unsigned* w = &all.x;
#pragma unroll
    for (int i = 0; i < 4; ++i) w[i] = valid > 2 * i + 1 ? w[i] : valid > 2 * i ? w[i] & 0xffff : 0;
    return all;
  }
};

// Copies two matrices, or one and another without rows, to rows of whole vectors, zeros at the end; a thread an eight.
// The next kernel begins meanwhile.
static __global__ void __launch_bounds__(256)
    widen_kernel(matrix a, unsigned short* wide_a, int m8, matrix b, unsigned short* wide_b, int p8) {
  few_tiles::let_next_begin();
  const size_t of_a = size_t(a.height) * (m8 / 8), of_b = size_t(b.height) * (p8 / 8);
  for (size_t i = size_t(blockIdx.x) * 256 + threadIdx.x; i < of_a + of_b; i += size_t(gridDim.x) * 256) {
    const bool first = i < of_a;
    const size_t at = first ? i : i - of_a;
    const int eights = (first ? m8 : p8) / 8, row = int(at / eights), col = int(at % eights) * 8;
    eight one;
    one.load(first ? a : b, row, col);
    reinterpret_cast<uint4*>(first ? wide_a : wide_b)[at] = one.elements();
  }
}

}  // namespace any_address
