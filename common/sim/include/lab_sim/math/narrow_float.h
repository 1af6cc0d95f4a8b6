#pragma once

// 16-bit floating point: the common part of half and bfloat16. Each operation is computed in float or double and
// rounded once to nearest even, as on the device.

// The bits alone, as structures without constructors.
struct __half_raw {
  unsigned short x;
};
struct alignas(4) __half2_raw {
  unsigned short x, y;
};
struct __nv_bfloat16_raw {
  unsigned short x;
};
struct alignas(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

namespace lab_sim {

struct half_format {
  using raw = __half_raw;
  using raw_pair = __half2_raw;
  static constexpr unsigned short infinity = 0x7c00;
  static float widen(unsigned short bits) {
    const unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 0) return (bits & 0x8000 ? -0x1p-24f : 0x1p-24f) * static_cast<float>(fraction);
    const unsigned sign = (bits & 0x8000u) << 16;
    return __builtin_bit_cast(float, sign | (exponent == 31 ? 255u : exponent + 112) << 23 | fraction << 13);
  }
  static unsigned short narrow(float value) {
    const unsigned bits = __builtin_bit_cast(unsigned, value), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    unsigned result = (size + 0xfff + (size >> 13 & 1)) >> 13;
    if (size > 0x7f800000) return 0x7fff;
    if (size < 0x38800000)  // below the smallest normal number
      result = static_cast<unsigned>(rintf(__builtin_bit_cast(float, size) * 0x1p24f));
    else
      result = result >= 0x23c00 ? infinity : result - (112 << 10);
    return static_cast<unsigned short>(sign | result);
  }
};

struct bfloat16_format {
  using raw = __nv_bfloat16_raw;
  using raw_pair = __nv_bfloat162_raw;
  static constexpr unsigned short infinity = 0x7f80;
  static float widen(unsigned short bits) { return __builtin_bit_cast(float, unsigned{bits} << 16); }
  static unsigned short narrow(float value) {
    const unsigned bits = __builtin_bit_cast(unsigned, value);
    if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
    return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};

/// Rounds a double to a float that rounds to the same 16 bits: an inexact result gets an odd last bit.
inline float to_odd(double value) {
  const float near = static_cast<float>(value);
  unsigned bits = __builtin_bit_cast(unsigned, near);
  if (near == value || value != value || near - near != 0 || (bits & 1)) return near;
  bits += (near < value) == (near > 0) ? 1 : -1;
  return __builtin_bit_cast(float, bits);
}

template <class Format>
class narrow_float {
 public:
  narrow_float() = default;
  narrow_float(float v) : bits_{Format::narrow(v)} {}
  narrow_float(double v) : bits_{Format::narrow(to_odd(v))} {}
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  narrow_float(T v) : narrow_float{static_cast<double>(v)} {}
  narrow_float(typename Format::raw v) : bits_{v.x} {}
  operator float() const { return Format::widen(bits_); }
  operator typename Format::raw() const { return {bits_}; }

  static narrow_float from_bits(unsigned short bits) {
    narrow_float n;
    n.bits_ = bits;
    return n;
  }
  unsigned short bits() const { return bits_; }

#define LAB_SIM_OPERATOR(op)                                                                       \
  friend narrow_float operator op(narrow_float a, narrow_float b) { return float(a) op float(b); } \
  friend narrow_float& operator op##=(narrow_float& a, const narrow_float& b) { return a = a op b; }
  LAB_SIM_OPERATOR(+)
  LAB_SIM_OPERATOR(-)
  LAB_SIM_OPERATOR(*)
  LAB_SIM_OPERATOR(/)
#undef LAB_SIM_OPERATOR
#define LAB_SIM_COMPARE(op) \
  friend bool operator op(narrow_float a, narrow_float b) { return float(a) op float(b); }
  LAB_SIM_COMPARE(==)
  LAB_SIM_COMPARE(!=)
  LAB_SIM_COMPARE(<)
  LAB_SIM_COMPARE(<=)
  LAB_SIM_COMPARE(>)
  LAB_SIM_COMPARE(>=)
#undef LAB_SIM_COMPARE
  narrow_float operator-() const { return from_bits(bits_ ^ 0x8000); }
  narrow_float operator+() const { return *this; }
  narrow_float& operator++() { return *this += narrow_float{1.f}; }
  narrow_float& operator--() { return *this -= narrow_float{1.f}; }

 private:
  unsigned short bits_;
};

/// Two such numbers in one register.
template <class Format>
struct alignas(4) narrow_pair {
  narrow_float<Format> x, y;
  narrow_pair() = default;
  narrow_pair(narrow_float<Format> x, narrow_float<Format> y) : x(x), y(y) {}
  narrow_pair(typename Format::raw_pair v) : x(typename Format::raw{v.x}), y(typename Format::raw{v.y}) {}
  operator typename Format::raw_pair() const { return {x.bits(), y.bits()}; }
#ifdef LAB_SIM_TRACE
  narrow_pair(const narrow_pair& other) { move(this, &other); }
  narrow_pair& operator=(const narrow_pair& other) {
    move(this, &other);
    return *this;
  }
#endif
#define LAB_SIM_OPERATOR(op)                                                                        \
  friend narrow_pair operator op(narrow_pair a, narrow_pair b) { return {a.x op b.x, a.y op b.y}; } \
  friend narrow_pair& operator op##=(narrow_pair& a, const narrow_pair& b) { return a = a op b; }
  LAB_SIM_OPERATOR(+)
  LAB_SIM_OPERATOR(-)
  LAB_SIM_OPERATOR(*)
  LAB_SIM_OPERATOR(/)
#undef LAB_SIM_OPERATOR
  friend bool operator==(narrow_pair a, narrow_pair b) { return a.x == b.x && a.y == b.y; }
  narrow_pair operator-() const { return {-x, -y}; }
};

}  // namespace lab_sim

#include "lab_sim/math/narrow_math.h"
