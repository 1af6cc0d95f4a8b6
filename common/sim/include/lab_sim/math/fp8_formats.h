#pragma once

// The two formats of 8-bit floating point, and the bits of their numbers.

#include <math.h>

typedef unsigned char __nv_fp8_storage_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace lab_sim {

struct fp8_format {
  int fraction_bits, least_exponent;  // of a normal number
  unsigned largest, beyond;           // the largest finite number; what an overflow gives
  unsigned nan_of_double;
};
constexpr fp8_format fp8_formats[] = {{3, -6, 0x7e, 0x7f, 0x7f}, {2, -14, 0x7b, 0x7c, 0x7e}};

constexpr double power_of_two(int exponent) {
  return __builtin_bit_cast(double, static_cast<unsigned long long>(exponent + 1023) << 52);
}

/// The bits of a number that is not a NaN.
inline __nv_fp8_storage_t fp8_of_number(double value, bool saturates, const fp8_format& format) {
  const auto bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned sign = static_cast<unsigned>(bits >> 63) << 7;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  unsigned code = format.largest + 1;
  if (exponent <= 15) {
    const int e = exponent < format.least_exponent ? format.least_exponent : exponent;
    const double units = rint(fabs(value) * power_of_two(format.fraction_bits - e));
    // A subnormal number has no leading one to take away, and its exponent field is zero.
    code = (static_cast<unsigned>(e - format.least_exponent) << format.fraction_bits) + static_cast<unsigned>(units);
  }
  if (code > format.largest) code = saturates ? format.largest : format.beyond;
  return static_cast<__nv_fp8_storage_t>(sign | code);
}

/// The value of the bits. e5m2 has infinities, e4m3 has none.
inline float fp8_value(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind) {
  const auto& format = fp8_formats[kind];
  const unsigned size = bits & 0x7f;
  const float sign = bits & 0x80 ? -1.f : 1.f;
  if (size > (kind == __NV_E4M3 ? 0x7e : 0x7c)) return __builtin_nanf("");
  if (kind == __NV_E5M2 && size == 0x7c) return sign * __builtin_inff();
  const unsigned exponent = size >> format.fraction_bits, one = 1u << format.fraction_bits, fraction = size & (one - 1);
  const int e = format.least_exponent - format.fraction_bits + (exponent == 0 ? 0 : static_cast<int>(exponent) - 1);
  return sign * static_cast<float>((exponent == 0 ? 0 : one) + fraction) * static_cast<float>(power_of_two(e));
}

}  // namespace lab_sim
