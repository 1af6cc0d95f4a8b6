#pragma once

#include "lab_sim/math/fp8_formats.h"
#include "lab_sim/math/narrow_float.h"
#include "lab_sim/ptx/integers.h"

// Inline PTX's cvt: from one type of numbers to another.

namespace lab_sim {
namespace ptx {

enum class direction { none, nearest, zero, down, up };

/// The words between cvt and the types.
struct conversion {
  direction round = direction::none;
  bool to_whole = false;   // .rni and its like
  bool saturates = false;  // integers to the range of the type, other numbers to 0 ... 1
  bool flushes = false;    // .ftz: subnormal floats are zeros
  bool no_negative = false;
};

LAB_SIM_INLINE rounding as_rounding(direction to) {
  return to == direction::down ? rounding::down : to == direction::up ? rounding::up : rounding::zero;
}

template <class Real>
LAB_SIM_INLINE Real whole(Real x, direction to) {
  switch (to) {
    case direction::nearest:
      return rint(x);
    case direction::down:
      return floor(x);
    case direction::up:
      return ceil(x);
    default:
      return trunc(x);
  }
}

/// A float as it is, or a zero of its sign if it is subnormal.
template <class Real>
LAB_SIM_INLINE Real flushed(Real x) {
  if constexpr (sizeof(Real) != 4) return x;
  return fabs(x) < 0x1p-126f ? copysign(Real(0), x) : x;
}

template <class Real>
LAB_SIM_INLINE Real in_unit(Real x) {
  return x > 0 ? (x < 1 ? x : Real(1)) : Real(0);  // also of a NaN
}

template <class To, class From>
LAB_SIM_INLINE To integer_of_integer(From x, bool saturates) {
  if (!saturates) return static_cast<To>(x);
  using wide = __int128;
  const wide least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max(), value = x;
  return static_cast<To>(value < least ? least : value > most ? most : value);
}

template <class To, class From>
LAB_SIM_INLINE To real_of_integer(From x, direction to) {
  using wide = std::conditional_t<std::is_signed_v<From>, long long, unsigned long long>;
  if (to == direction::nearest) return static_cast<To>(x);
  if constexpr (sizeof(To) == 8 && sizeof(From) < 8)
    return static_cast<To>(x);
  else
    return rounded<To>::of(as_rounding(to), static_cast<wide>(x));
}

template <class To, class From>
LAB_SIM_INLINE To real_of_real(From x, const conversion& how) {
  if (how.to_whole) return static_cast<To>(whole(x, how.round));
  if constexpr (sizeof(To) < sizeof(From))
    if (how.round != direction::nearest) return rounded<To>::of(as_rounding(how.round), x);
  return static_cast<To>(x);
}

template <class To, class From>
LAB_SIM_INLINE To convert(From x, conversion how) {
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return integer_of_integer<To>(x, how.saturates);
  } else if constexpr (std::is_integral_v<To>) {
    return clamp_to<To>(whole(how.flushes ? flushed(x) : x, how.round));
  } else if constexpr (std::is_integral_v<From>) {
    const To result = real_of_integer<To>(x, how.round);
    return how.saturates ? in_unit(result) : result;
  } else {
    const To result = real_of_real<To>(how.flushes ? flushed(x) : x, how);
    return how.saturates ? in_unit(result) : how.flushes ? flushed(result) : result;
  }
}

/// The neighbor of 16 bits of a floating-point number, in the direction of infinity or away from it.
constexpr u16 neighbor(u16 bits, bool up) {
  return static_cast<u16>(bits + ((bits & 0x8000) == 0) * (up ? 1 : -1) + ((bits & 0x8000) != 0) * (up ? -1 : 1));
}

/// The bits of a half or a bfloat16. No integer of more than 53 bits.
template <class Format, class From>
LAB_SIM_INLINE u16 narrowed(From from, conversion how) {
  const double exact = static_cast<double>(how.saturates ? in_unit(static_cast<double>(from)) : from);
  if (how.no_negative && exact < 0) return 0;
  const u16 near = Format::narrow(to_odd(exact));
  const double there = static_cast<double>(Format::widen(near));
  const bool toward_zero = how.round == direction::zero;
  if (there > exact && (how.round == direction::down || (toward_zero && exact > 0))) return neighbor(near, false);
  if (there < exact && (how.round == direction::up || (toward_zero && exact < 0))) return neighbor(near, true);
  return near;
}
template <class Format>
LAB_SIM_INLINE f32 widened(u16 bits) {
  return Format::widen(bits);
}
constexpr u32 pair_of(u16 high, u16 low) { return u32{high} << 16 | low; }

constexpr auto e4m3 = __NV_E4M3, e5m2 = __NV_E5M2;

/// The bits of an 8-bit number, the largest finite one in place of a larger one.
template <__nv_fp8_interpretation_t kind>
LAB_SIM_INLINE u16 fp8_of(f32 x, bool no_negative) {
  if (x != x) return 0x7f;
  return fp8_of_number(no_negative && x < 0 ? 0 : double{x}, true, fp8_formats[kind]);
}
template <__nv_fp8_interpretation_t kind>
LAB_SIM_INLINE u16 fp8_of_floats(f32 high, f32 low, bool no_negative) {
  return static_cast<u16>(fp8_of<kind>(high, no_negative) << 8 | fp8_of<kind>(low, no_negative));
}
template <__nv_fp8_interpretation_t kind>
LAB_SIM_INLINE u16 fp8_of_halves(u32 both, bool no_negative) {
  return fp8_of_floats<kind>(half_format::widen(static_cast<u16>(both >> 16)),
                             half_format::widen(static_cast<u16>(both)), no_negative);
}
template <__nv_fp8_interpretation_t kind>
LAB_SIM_INLINE u32 halves_of_fp8(u16 both, bool no_negative) {
  const auto half = [&](int shift) {
    const f32 x = fp8_value(static_cast<__nv_fp8_storage_t>(both >> shift), kind);
    return half_format::narrow(no_negative && x < 0 ? 0.f : x);
  };
  return pair_of(half(8), half(0));
}

/// The bits of a tf32: 10 of the fraction, halves are rounded away from zero.
LAB_SIM_INLINE u32 tf32_of(f32 x) {
  const u32 bits = as<u32>(x);
  return (bits & 0x7fffffff) >= 0x7f800000 ? bits : (bits + 0x1000) & 0xffffe000u;
}

}  // namespace ptx
}  // namespace lab_sim
