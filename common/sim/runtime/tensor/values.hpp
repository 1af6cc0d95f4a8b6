#pragma once

#include <cstring>

#include "lab_sim/math/narrow_float.h"
#include "sim/runtime/tensor/layouts.hpp"

// The elements in the registers of a lane, as numbers of one type.

namespace lab::sim {

template <class Number, class T>
Number number_at(const void* registers, int i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(registers) + static_cast<std::size_t>(i) * sizeof value, sizeof value);
  return static_cast<Number>(value);
}

// The bits of an element that is smaller than a byte.
inline unsigned part_at(const void* registers, int i, int bits) {
  const auto word = number_at<unsigned, unsigned>(registers, i * bits / 32);
  return word >> i * bits % 32 & ((1u << bits) - 1);
}

/// Tensor cores ignore the last 13 bits of a tf32.
inline float as_tf32(float value) {
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, value) & 0xffffe000u);
}

template <class Number>
Number value_at(const void* registers, int i, element type) {
  switch (type) {
    case element::half:
      return static_cast<Number>(lab_sim::half_format::widen(number_at<std::uint16_t, std::uint16_t>(registers, i)));
    case element::bfloat16:
      return static_cast<Number>(
          lab_sim::bfloat16_format::widen(number_at<std::uint16_t, std::uint16_t>(registers, i)));
    case element::tf32:
      return static_cast<Number>(as_tf32(number_at<float, float>(registers, i)));
    case element::float32:
      return number_at<Number, float>(registers, i);
    case element::float64:
      return number_at<Number, double>(registers, i);
    case element::int8:
      return number_at<Number, std::int8_t>(registers, i);
    case element::uint8:
      return number_at<Number, std::uint8_t>(registers, i);
    case element::int4:
      return static_cast<Number>(static_cast<int>(part_at(registers, i, 4) ^ 8) - 8);
    case element::uint4:
      return static_cast<Number>(part_at(registers, i, 4));
    case element::bit:
      return static_cast<Number>(part_at(registers, i, 1));
    case element::int32:
      return number_at<Number, std::int32_t>(registers, i);
  }
  return {};
}

template <class T>
void put(void* registers, int i, T value) {
  std::memcpy(static_cast<char*>(registers) + static_cast<std::size_t>(i) * sizeof value, &value, sizeof value);
}

/// For the types that sums may have.
template <class Number>
void set_value(void* registers, int i, element type, Number value) {
  switch (type) {
    case element::half:
      return put(registers, i, lab_sim::half_format::narrow(static_cast<float>(value)));
    case element::float64:
      return put(registers, i, static_cast<double>(value));
    case element::int32:
      return put(registers, i, static_cast<std::int32_t>(value));
    default:
      return put(registers, i, static_cast<float>(value));
  }
}

}  // namespace lab::sim
