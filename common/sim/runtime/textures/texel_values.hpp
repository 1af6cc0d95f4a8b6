#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "sim/runtime/textures/texture_objects.hpp"

// The components of a texel in memory.

namespace lab::sim {

inline float float_of_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 0) return (sign ? -1.0f : 1.0f) * static_cast<float>(fraction) / (1 << 24);
  const std::uint32_t wide = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
  return __builtin_bit_cast(float, wide);
}

/// A component as a register holds it: the bits of a float, or an integer extended to 32 bits.
inline unsigned component_in_memory(const cudaChannelFormatDesc& format, const char* texel, int which) {
  const int bits = format.x;
  std::uint32_t value = 0;
  if (bits == 32)  // a copy of fixed size is one instruction
    std::memcpy(&value, texel + which * 4, 4);
  else
    std::memcpy(&value, texel + which * bits / 8, static_cast<std::size_t>(bits / 8));
  if (format.f == cudaChannelFormatKindFloat && bits == 16)
    return __builtin_bit_cast(unsigned, float_of_half(static_cast<std::uint16_t>(value)));
  if (format.f != cudaChannelFormatKindSigned || bits == 32) return value;
  return static_cast<unsigned>(static_cast<std::int32_t>(value << (32 - bits)) >> (32 - bits));
}

/// The same as a float: integers of 8 or 16 bits become fractions of their largest value.
inline float component_as_float(const cudaChannelFormatDesc& format, const char* texel, int which) {
  const unsigned value = component_in_memory(format, texel, which);
  if (format.f == cudaChannelFormatKindFloat) return __builtin_bit_cast(float, value);
  if (format.f == cudaChannelFormatKindUnsigned)
    return static_cast<float>(value) / static_cast<float>((1u << format.x) - 1);
  return std::max(-1.0f, static_cast<float>(static_cast<int>(value)) / static_cast<float>((1 << (format.x - 1)) - 1));
}

}  // namespace lab::sim
