#pragma once

#include <cstdint>

#include "../device/hopper.hpp"
#include "pieces.hpp"

// What the tensor cores do with one stage of ring_kernel.hpp's ring.
namespace ring_kernel {

using pieces::depth;

// Where a consumer finds what it multiplies. The addresses are computed once, and each instruction then needs one
// addition for each of its two. With a dozen operations before each instruction, the tensor cores waited for them: 1.13
// times as long at 512 x 512 x 512 on an H200, 1.16 at 24 x 4096 x 4096.
struct operands {
  std::uint64_t a, b;

  template <class Tiles>
  __device__ operands(const Tiles& tiles, int row, int box)
      // Eight rows of a's tile are 1024 bytes. In b's, eight k are 1024 bytes, and the next 64 columns are the next
      // box.
      : a{hopper::operand(tiles.a + row, 16, 1024)}, b{hopper::operand(tiles.b + box, box_bytes, 1024)} {}

  static constexpr unsigned box_bytes = sizeof(unsigned short[depth][64]);
  __device__ operands further(unsigned bytes) const {
    operands there = *this;
    there.a = hopper::further(a, bytes), there.b = hopper::further(b, bytes);
    return there;
  }
  __device__ std::uint64_t a_at(int k) const { return hopper::further(a, k * 2); }
  __device__ std::uint64_t b_at(int k, int box = 0) const { return hopper::further(b, k * 128 + box * box_bytes); }
};

// Adds the product of 64 rows of a stage's tile of a and its tile of b, or begins with it.
template <int count>
__device__ void multiply(float (&sums)[count], const operands& of, bool adds) {
  hopper::begin_products();
#pragma unroll
  for (int k = 0; k < depth; k += 16) hopper::multiply_by_rows(sums, of.a_at(k), of.b_at(k), adds || k > 0);
  hopper::end_products();
}

// The same for the transposes: of rows of a's tile, and of a box of b's for each part of the sums.
template <int parts, int count>
__device__ void multiply_turned(float (&sums)[count], const operands& of, bool adds) {
  constexpr int of_part = count / parts;
  hopper::begin_products();
#pragma unroll
  for (int k = 0; k < depth; k += 16)
#pragma unroll
    for (int j = 0; j < parts; ++j)
      hopper::multiply_turned(reinterpret_cast<float(&)[of_part]>(sums[j * of_part]), of.b_at(k, j), of.a_at(k),
                              adds || k > 0);
  hopper::end_products();
}

}  // namespace ring_kernel
