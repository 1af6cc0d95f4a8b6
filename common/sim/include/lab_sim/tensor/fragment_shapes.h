#pragma once

#include "lab_sim/tensor/matrix.h"

// The shapes and types of fragments that CUDA documents, and how many elements a lane holds.

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace details {

using lab_sim::element;

/// How an element is stored, and how many are in one place of `x`.
template <element type, class Stored, int in_one = 1>
struct stored_as {
  static constexpr element kind = type;
  static constexpr int packed = in_one;
  using storage = Stored;
};

template <class T>
struct element_of;
template <>
struct element_of<__half> : stored_as<element::half, __half> {};
template <>
struct element_of<__nv_bfloat16> : stored_as<element::bfloat16, __nv_bfloat16> {};
template <>
struct element_of<precision::tf32> : stored_as<element::tf32, float> {};
template <>
struct element_of<float> : stored_as<element::float32, float> {};
template <>
struct element_of<double> : stored_as<element::float64, double> {};
template <>
struct element_of<signed char> : stored_as<element::int8, signed char> {};
template <>
struct element_of<char> : stored_as<element::int8, char> {};
template <>
struct element_of<unsigned char> : stored_as<element::uint8, unsigned char> {};
template <>
struct element_of<int> : stored_as<element::int32, int> {};
template <>
struct element_of<experimental::precision::s4> : stored_as<element::int4, int, 8> {};
template <>
struct element_of<experimental::precision::u4> : stored_as<element::uint4, unsigned, 8> {};
template <>
struct element_of<experimental::precision::b1> : stored_as<element::bit, unsigned, 32> {};

template <class Use>
struct operand_of;
template <>
struct operand_of<matrix_a> {
  static constexpr lab_sim::operand kind = lab_sim::operand::a;
};
template <>
struct operand_of<matrix_b> {
  static constexpr lab_sim::operand kind = lab_sim::operand::b;
};
template <>
struct operand_of<accumulator> {
  static constexpr lab_sim::operand kind = lab_sim::operand::sums;
};

constexpr bool is_shape(int m, int n, int k, element type, bool sums) {
  const bool whole = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);
  const bool square = m == 8 && n == 8;
  switch (type) {
    case element::half:
      return whole && k == 16;
    case element::bfloat16:
    case element::int8:
    case element::uint8:
      return whole && k == 16 && !sums;
    case element::tf32:
      return m == 16 && n == 16 && k == 8 && !sums;
    case element::float32:
      return sums && ((whole && k == 16) || (m == 16 && n == 16 && k == 8));
    case element::float64:
      return square && k == 4;
    case element::int32:
      return sums && ((whole && k == 16) || (square && (k == 32 || k == 128)));
    case element::int4:
    case element::uint4:
      return square && k == 32 && !sums;
    case element::bit:
      return square && k == 128 && !sums;
  }
  return false;
}

/// Elements that differ, of a lane.
constexpr int different(int m, int n, int k, lab_sim::operand which) {
  return (which == lab_sim::operand::a ? m * k : which == lab_sim::operand::b ? k * n : m * n) / 32;
}
/// A lane always has 16 elements of half: some stand there two or four times.
constexpr int copies(int m, int n, int k, lab_sim::operand which, element type) {
  return type == element::half && which != lab_sim::operand::sums ? 16 / different(m, n, k, which) : 1;
}

}  // namespace details
}  // namespace wmma
}  // namespace nvcuda
