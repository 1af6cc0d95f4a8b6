#pragma once

#include "lab_sim/math/fp8.h"

// The types of 8-bit floating point. They have no arithmetic: programs convert, compute and convert back. A conversion
// to them gives the largest finite number in place of a larger one.

namespace lab_sim {

template <__nv_fp8_interpretation_t kind>
struct fp8 {
  __nv_fp8_storage_t __x;

  fp8() = default;
  explicit fp8(double v) : __x{__nv_cvt_double_to_fp8(v, __NV_SATFINITE, kind)} {}
  explicit fp8(float v) : __x{__nv_cvt_float_to_fp8(v, __NV_SATFINITE, kind)} {}
  explicit fp8(__half v) : fp8{static_cast<float>(v)} {}
  explicit fp8(__nv_bfloat16 v) : fp8{static_cast<float>(v)} {}
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  explicit fp8(T v) : fp8{static_cast<double>(v)} {}

  explicit operator float() const { return fp8_value(__x, kind); }
  explicit operator double() const { return double{fp8_value(__x, kind)}; }
  explicit operator __half() const { return fp8_value(__x, kind); }
  explicit operator __nv_bfloat16() const { return fp8_value(__x, kind); }
  explicit operator bool() const { return (__x & 0x7f) != 0; }
  template <class T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int> = 0>
  explicit operator T() const {
    return clamp_to<T>(fp8_value(__x, kind));
  }
};

template <__nv_fp8_interpretation_t kind>
struct fp8_pair {
  __nv_fp8x2_storage_t __x;

  fp8_pair() = default;
  explicit fp8_pair(double2 v) : __x{__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, kind)} {}
  explicit fp8_pair(float2 v) : __x{__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)} {}
  explicit fp8_pair(__half2 v) : __x{__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, kind)} {}
  explicit fp8_pair(__nv_bfloat162 v) : __x{__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, kind)} {}

  explicit operator float2() const { return make_float2(at(0), at(1)); }
  explicit operator __half2() const { return {at(0), at(1)}; }
  explicit operator __nv_bfloat162() const { return {at(0), at(1)}; }

 private:
  float at(int i) const { return fp8_value(static_cast<__nv_fp8_storage_t>(__x >> 8 * i), kind); }
};

template <__nv_fp8_interpretation_t kind>
struct fp8_four {
  __nv_fp8x4_storage_t __x;

  fp8_four() = default;
  explicit fp8_four(double4 v) : fp8_four{of(make_double2(v.x, v.y)), of(make_double2(v.z, v.w))} {}
  explicit fp8_four(float4 v) : fp8_four{of(make_float2(v.x, v.y)), of(make_float2(v.z, v.w))} {}
  explicit fp8_four(__half2 low, __half2 high) : fp8_four{of(low), of(high)} {}
  explicit fp8_four(__nv_bfloat162 low, __nv_bfloat162 high) : fp8_four{of(low), of(high)} {}

  explicit operator float4() const { return make_float4(at(0), at(1), at(2), at(3)); }

 private:
  explicit fp8_four(fp8_pair<kind> low, fp8_pair<kind> high) : __x{__nv_fp8x4_storage_t{high.__x} << 16 | low.__x} {}
  template <class Pair>
  static fp8_pair<kind> of(Pair v) {
    return fp8_pair<kind>{v};
  }
  float at(int i) const { return fp8_value(static_cast<__nv_fp8_storage_t>(__x >> 8 * i), kind); }
};

}  // namespace lab_sim

typedef lab_sim::fp8<__NV_E4M3> __nv_fp8_e4m3;
typedef lab_sim::fp8<__NV_E5M2> __nv_fp8_e5m2;
typedef lab_sim::fp8_pair<__NV_E4M3> __nv_fp8x2_e4m3;
typedef lab_sim::fp8_pair<__NV_E5M2> __nv_fp8x2_e5m2;
typedef lab_sim::fp8_four<__NV_E4M3> __nv_fp8x4_e4m3;
typedef lab_sim::fp8_four<__NV_E5M2> __nv_fp8x4_e5m2;
