#pragma once

// 8-bit floating point: its two formats, conversions to and from them, numbers, pairs and fours of numbers. A number is
// rounded once, to nearest even.

#include "lab_sim/math/fp8_formats.h"

typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;

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
