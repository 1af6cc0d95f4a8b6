#pragma once

// Inline PTX's arithmetic on integers and bits. A function has the name of its instruction; T is the instruction's
// type.

#include <string.h>

#include <limits>
#include <type_traits>

namespace lab_sim {
namespace ptx {

typedef bool pred;
typedef unsigned char u8, b8;
typedef unsigned short u16, b16;
typedef unsigned u32, b32;
typedef unsigned long long u64, b64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
typedef float f32;
typedef double f64;

/// What a register holds, read as a T: numbers of one kind are converted, others keep their bits.
template <class T, class From>
LAB_SIM_INLINE T as(const From& from) {
  if constexpr (std::is_arithmetic_v<From> && std::is_floating_point_v<T> == std::is_floating_point_v<From>) {
    return static_cast<T>(from);
  } else {
    T to{};
    __builtin_memcpy(&to, &from, sizeof from < sizeof to ? sizeof from : sizeof to);
    return to;
  }
}
template <class To, class T>
LAB_SIM_INLINE void set(To& to, T value) {
  to = as<To>(value);
}

template <class T>
using unsigned_of = std::make_unsigned_t<T>;
template <class T>
constexpr unsigned width = sizeof(T) * 8;
/// The type of twice the width.
template <class T>
using wide = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, s32, u32>,
                                std::conditional_t<std::is_signed_v<T>, s64, u64>>;
template <class T>
using wider =
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>, wide<T>>;

template <class T>
constexpr T clamped(s64 value) {
  const s64 least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  return static_cast<T>(value < least ? least : value > most ? most : value);
}

// Integers wrap around; numbers of other types are computed as they are.
#define LAB_SIM_PTX_OPERATION(name, sign)                                             \
  template <class T>                                                                  \
  constexpr T name(T a, T b) {                                                        \
    if constexpr (std::is_integral_v<T>)                                              \
      return static_cast<T>(static_cast<unsigned_of<T>>(a) sign static_cast<u64>(b)); \
    else                                                                              \
      return a sign b;                                                                \
  }
LAB_SIM_PTX_OPERATION(add, +)
LAB_SIM_PTX_OPERATION(sub, -)
LAB_SIM_PTX_OPERATION(mul, *)
#undef LAB_SIM_PTX_OPERATION
template <class T>
constexpr T add_sat(T a, T b) {
  return clamped<T>(s64{a} + b);
}
template <class T>
constexpr T sub_sat(T a, T b) {
  return clamped<T>(s64{a} - b);
}
template <class T>
constexpr T mul_lo(T a, T b) {
  return mul(a, b);
}
template <class T>
constexpr T mul_hi(T a, T b) {
  return static_cast<T>(static_cast<wider<T>>(a) * static_cast<wider<T>>(b) >> width<T>);
}
template <class T>
constexpr wide<T> mul_wide(T a, T b) {
  return static_cast<wide<T>>(static_cast<wide<T>>(a) * static_cast<wide<T>>(b));
}
template <class T>
constexpr T mad_lo(T a, T b, T c) {
  return add(mul(a, b), c);
}
template <class T>
constexpr T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}
template <class T>
constexpr wide<T> mad_wide(T a, T b, wide<T> c) {
  return add(mul_wide(a, b), c);
}
template <class T>
constexpr s64 of_24_bits(T a) {
  return std::is_signed_v<T> ? static_cast<s32>(static_cast<u32>(a) << 8) >> 8 : static_cast<u32>(a) & 0xffffffu;
}
template <class T>
constexpr T mul24_lo(T a, T b) {
  return static_cast<T>(of_24_bits(a) * of_24_bits(b));
}
template <class T>
constexpr T mul24_hi(T a, T b) {
  return static_cast<T>(of_24_bits(a) * of_24_bits(b) >> 16);
}
template <class T>
constexpr T mad24_lo(T a, T b, T c) {
  return add(mul24_lo(a, b), c);
}
template <class T>
constexpr T mad24_hi(T a, T b, T c) {
  return add(mul24_hi(a, b), c);
}
template <class T>
constexpr T sad(T a, T b, T c) {
  return add(c, a < b ? sub(b, a) : sub(a, b));
}
// A division by zero has no defined value; here all its bits are set.
template <class T>
constexpr T div(T a, T b) {
  if (b == T(0)) return static_cast<T>(~T(0));
  return std::is_signed_v<T> && b == T(-1) ? sub(T(0), a) : static_cast<T>(a / b);
}
template <class T>
constexpr T rem(T a, T b) {
  return b == T(0) ? a : std::is_signed_v<T> && b == T(-1) ? T(0) : static_cast<T>(a % b);
}
template <class T>
constexpr T neg(T a) {
  if constexpr (std::is_integral_v<T>)
    return sub(T(0), a);
  else
    return -a;
}
template <class T>
constexpr T abs(T a) {
  return a < T(0) ? neg(a) : a;
}
template <class T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}

// Bits.
template <class T>
constexpr T and_(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
constexpr T or_(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
constexpr T xor_(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
constexpr T not_(T a) {
  if constexpr (std::is_same_v<T, bool>)
    return !a;
  else
    return static_cast<T>(~a);
}
template <class T>
constexpr T cnot(T a) {
  return a == T(0);
}
template <class T>
constexpr T shl(T a, u32 by) {
  return by >= width<T> ? T(0) : static_cast<T>(static_cast<unsigned_of<T>>(a) << by);
}
template <class T>
constexpr T shr(T a, u32 by) {
  return by >= width<T> ? static_cast<T>(a < T(0) ? -1 : 0) : static_cast<T>(a >> by);
}
template <class T>
constexpr u32 popc(T a) {
  return static_cast<u32>(__builtin_popcountll(static_cast<unsigned_of<T>>(a)));
}
/// The place of the highest bit; of a negative number, of the highest that differs from the sign.
template <class T>
constexpr u32 bfind(T a) {
  const u64 bits = static_cast<unsigned_of<T>>(a < T(0) ? ~a : a);
  return bits == 0 ? ~0u : 63u - static_cast<u32>(__builtin_clzll(bits));
}
template <class T>
constexpr u32 bfind_shiftamt(T a) {
  const u32 place = bfind(a);
  return place == ~0u ? place : width<T> - 1 - place;
}
template <class T>
constexpr u32 clz(T a) {
  const u32 place = bfind(static_cast<unsigned_of<T>>(a));
  return place == ~0u ? width<T> : width<T> - 1 - place;
}
template <class T>
constexpr T brev(T a) {
  T result = 0;
  for (unsigned i = 0; i < width<T>; ++i) result = static_cast<T>(result << 1 | (a >> i & 1));
  return result;
}
template <class T>
constexpr T bfe(T a, u32 from, u32 length) {
  const u32 first = from & 0xff, count = length & 0xff, last = first + count - 1;
  if (count == 0) return 0;
  const u64 bits = static_cast<unsigned_of<T>>(a) * u64{1};
  const bool sign = std::is_signed_v<T> && (bits >> (last < width<T> ? last : width<T> - 1) & 1);
  const u64 all = shl<u64>(~0ull, count), part = (first < 64 ? bits >> first : 0) & ~all;
  const u64 there = first < width<T> ? shl<u64>(~0ull, width<T> - first) : ~0ull;  // beyond the register
  return static_cast<T>(sign ? (part & ~there) | all | there : part & ~there);
}
template <class T>
constexpr T bfi(T a, T b, u32 from, u32 length) {
  const u64 mask = shl<u64>(~shl<u64>(~0ull, length & 0xff), from & 0xff);
  return static_cast<T>((b & ~mask) | (shl<u64>(a, from & 0xff) & mask));
}
template <class T>
constexpr T lop3(T a, T b, T c, u32 table) {
  T result = 0;
  for (unsigned row = 0; row < 8; ++row)
    if (table >> row & 1) result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return result;
}
constexpr u64 joined(u32 low, u32 high) { return u64{high} << 32 | low; }
template <class T>
constexpr u32 shf_l_clamp(u32 a, u32 b, u32 by) {
  return static_cast<u32>(joined(a, b) << min(by, 32u) >> 32);
}
template <class T>
constexpr u32 shf_r_clamp(u32 a, u32 b, u32 by) {
  return static_cast<u32>(joined(a, b) >> min(by, 32u));
}
template <class T>
constexpr u32 shf_l_wrap(u32 a, u32 b, u32 by) {
  return shf_l_clamp<T>(a, b, by & 31);
}
template <class T>
constexpr u32 shf_r_wrap(u32 a, u32 b, u32 by) {
  return shf_r_clamp<T>(a, b, by & 31);
}
template <class T>
constexpr u32 bmsk_clamp(u32 from, u32 count) {
  return shl(~shl(~0u, count), from);
}
template <class T>
constexpr u32 bmsk_wrap(u32 from, u32 count) {
  return bmsk_clamp<T>(from & 31, count & 31);
}

// prmt: each byte of the result is one of the eight of b:a.
constexpr u32 byte_of(u32 a, u32 b, u32 place) { return static_cast<u32>(joined(a, b) >> place * 8 & 0xff); }
template <class Place>
constexpr u32 permuted(u32 a, u32 b, Place place) {
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) result |= byte_of(a, b, place(i)) << i * 8;
  return result;
}
template <class T>
constexpr u32 prmt(u32 a, u32 b, u32 selectors) {
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 which = selectors >> i * 4, byte = byte_of(a, b, which & 7);
    result |= (which & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << i * 8;
  }
  return result;
}
template <class T>
constexpr u32 prmt_f4e(u32 a, u32 b, u32 c) {
  return permuted(a, b, [c](u32 i) { return (c & 3) + i; });
}
template <class T>
constexpr u32 prmt_b4e(u32 a, u32 b, u32 c) {
  return permuted(a, b, [c](u32 i) { return ((c & 3) - i) & 7; });
}
template <class T>
constexpr u32 prmt_rc8(u32 a, u32 b, u32 c) {
  return permuted(a, b, [c](u32) { return c & 3; });
}
template <class T>
constexpr u32 prmt_ecl(u32 a, u32 b, u32 c) {
  return permuted(a, b, [c](u32 i) { return max(i, c & 3); });
}
template <class T>
constexpr u32 prmt_ecr(u32 a, u32 b, u32 c) {
  return permuted(a, b, [c](u32 i) { return min(i, c & 3); });
}
template <class T>
constexpr u32 prmt_rc16(u32 a, u32 b, u32 c) {
  return permuted(a, b, [c](u32 i) { return (c & 1) * 2 + (i & 1); });
}

/// mov between one register and the registers of its parts, the lowest first.
template <class T, class... Parts>
LAB_SIM_INLINE T packed(const Parts&... parts) {
  using part = std::conditional_t<sizeof(T) == 8 && sizeof...(Parts) == 2, u32,
                                  std::conditional_t<sizeof(T) / sizeof...(Parts) == 2, u16, u8>>;
  u64 all = 0;
  unsigned at = 0;
  ((all |= u64{as<part>(parts)} << at, at += width<part>), ...);
  return static_cast<T>(all);
}
template <class T, class... Parts>
LAB_SIM_INLINE void unpack(T whole, Parts&... parts) {
  using part = std::conditional_t<sizeof(T) == 8 && sizeof...(Parts) == 2, u32,
                                  std::conditional_t<sizeof(T) / sizeof...(Parts) == 2, u16, u8>>;
  unsigned at = 0;
  ((set(parts, static_cast<part>(whole >> at)), at += width<part>), ...);
}

}  // namespace ptx
}  // namespace lab_sim
