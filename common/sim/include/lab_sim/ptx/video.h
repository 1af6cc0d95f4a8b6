#pragma once

#include "lab_sim/ptx/integers.h"

// Inline PTX's video instructions: arithmetic on bytes and half-words of registers.

namespace lab_sim {
namespace ptx {

/// Which part of a register an operand is: `bits` bits from bit `at` on.
struct part {
  unsigned at, bits;
};

template <class T>
constexpr s64 part_of(u32 value, part p) {
  const u32 bits = p.bits == 32 ? value : value >> p.at & ((1u << p.bits) - 1);
  if (!std::is_signed_v<T>) return bits;
  return p.bits == 32 ? s64{static_cast<s32>(bits)} : s64{static_cast<s32>(bits << (32 - p.bits)) >> (32 - p.bits)};
}

constexpr s64 limited(s64 value, bool is_signed, unsigned bits) {
  const s64 most = (s64{1} << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  return value < least ? least : value > most ? most : value;
}

enum class video { add, sub, absdiff, min, max, avrg, shl, shr, eq, ne, lt, le, gt, ge };

constexpr s64 computed(video what, s64 a, s64 b) {
  switch (what) {
    case video::add:
      return a + b;
    case video::sub:
      return a - b;
    case video::absdiff:
      return a < b ? b - a : a - b;
    case video::min:
      return a < b ? a : b;
    case video::max:
      return a < b ? b : a;
    case video::avrg:
      return (a + b + (a + b >= 0)) >> 1;
    case video::shl:
      return static_cast<s64>(static_cast<u64>(a) << b);
    case video::shr:
      return a >> b;
    case video::eq:
      return a == b;
    case video::ne:
      return a != b;
    case video::lt:
      return a < b;
    case video::le:
      return a <= b;
    case video::gt:
      return a > b;
    default:
      return a >= b;
  }
}

/// What becomes of the result: the register, combined with c, or put into a part of c.
enum class after { nothing, adds, min, max, merges };

template <class D, class A, class B>
constexpr u32 video_scalar(video what, bool saturates, after then, part d, part a_part, part b_part, u32 a, u32 b,
                           u32 c = 0) {
  s64 result = computed(what, part_of<A>(a, a_part), part_of<B>(b, b_part));
  if (saturates) result = limited(result, std::is_signed_v<D>, then == after::merges ? d.bits : 32);
  const u32 bits = static_cast<u32>(result);
  const D mine = static_cast<D>(bits), other = static_cast<D>(c);
  const u32 mask = d.bits == 32 ? ~0u : ((1u << d.bits) - 1) << d.at;
  switch (then) {
    case after::adds:
      return bits + c;
    case after::min:
      return static_cast<u32>(mine < other ? mine : other);
    case after::max:
      return static_cast<u32>(mine < other ? other : mine);
    case after::merges:
      return (bits << d.at & mask) | (c & ~mask);
    default:
      return bits;
  }
}

constexpr u32 shift_clamped(u32 by) { return by > 32 ? 32 : by; }
constexpr u32 shift_wrapped(u32 by) { return by & 31; }

/// `lanes` parts of equal width. A place selects one of the parts of b:a; the lowest digit of `a_places` is the first.
template <class D, class A, class B>
constexpr u32 video_simd(video what, unsigned lanes, bool saturates, bool adds, unsigned mask, u32 a_places,
                         u32 b_places, u32 a, u32 b, u32 c) {
  const unsigned bits = 32 / lanes;
  const auto lane_of = [&](u32 places, unsigned i) {
    const u32 place = places >> i * 4 & 15;
    return part{place % lanes * bits, bits};
  };
  const auto source = [&](u32 places, unsigned i) { return (places >> i * 4 & 15) < lanes ? a : b; };
  u32 result = adds ? c : 0;
  for (unsigned i = 0; i < lanes; ++i) {
    const u32 ones = (1u << bits) - 1;
    s64 one = computed(what, part_of<A>(source(a_places, i), lane_of(a_places, i)),
                       part_of<B>(source(b_places, i), lane_of(b_places, i)));
    if (saturates) one = limited(one, std::is_signed_v<D>, bits);
    const bool chosen = mask >> i & 1;
    if (adds)
      result += chosen ? static_cast<u32>(one) : 0;
    else
      result |= chosen ? (static_cast<u32>(one) & ones) << i * bits : c & ones << i * bits;
  }
  return result;
}

/// dp4a and dp2a: products of parts, and a sum.
template <class A, class B>
constexpr u32 dot_4(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 4; ++i) c += static_cast<u32>(part_of<A>(a, {i * 8, 8}) * part_of<B>(b, {i * 8, 8}));
  return c;
}
template <class A, class B>
constexpr u32 dot_2(bool high, u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 2; ++i)
    c += static_cast<u32>(part_of<A>(a, {i * 16, 16}) * part_of<B>(b, {(i + (high ? 2u : 0u)) * 8, 8}));
  return c;
}

}  // namespace ptx
}  // namespace lab_sim
