#pragma once

// 8-bit floating point: its two formats, conversions to and from them, numbers, pairs and fours of numbers. A number is
// rounded once, to nearest even.

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
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

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  const auto& format = lab_sim::fp8_formats[kind];
  const unsigned sign = __builtin_signbit(x) ? 0x80 : 0;
  if (x != x) return static_cast<__nv_fp8_storage_t>(sign | format.nan_of_double);
  return lab_sim::fp8_of_number(x, saturate == __NV_SATFINITE, format);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return x != x ? 0x7f : lab_sim::fp8_of_number(double{x}, saturate == __NV_SATFINITE, lab_sim::fp8_formats[kind]);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(lab_sim::half_format::widen(x.x), saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(lab_sim::bfloat16_format::widen(x.x), saturate, kind);
}

// Two numbers: x is the low byte.
#define LAB_SIM_PAIR_TO_FP8(name, Pair, of_one)                                                       \
  inline __nv_fp8x2_storage_t name(Pair v, __nv_saturation_t saturate, __nv_fp8_interpretation_t k) { \
    const decltype(v.x) x = v.x, y = v.y;                                                             \
    return static_cast<__nv_fp8x2_storage_t>(of_one(y, saturate, k) << 8 | of_one(x, saturate, k));   \
  }
LAB_SIM_PAIR_TO_FP8(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8)
LAB_SIM_PAIR_TO_FP8(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8)
LAB_SIM_PAIR_TO_FP8(__nv_cvt_halfraw2_to_fp8x2, __half2, __nv_cvt_halfraw_to_fp8)
LAB_SIM_PAIR_TO_FP8(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162, __nv_cvt_bfloat16raw_to_fp8)
#undef LAB_SIM_PAIR_TO_FP8

inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return {lab_sim::half_format::narrow(lab_sim::fp8_value(x, kind))};
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw(x & 0xff, kind).x, __nv_cvt_fp8_to_halfraw(x >> 8, kind).x};
}
