#pragma once

// Integer functions that device code can call without an include.

inline int __mul24(int x, int y) { return x * y; }
inline unsigned __umul24(unsigned x, unsigned y) { return x * y; }
inline int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
inline unsigned __sad(int x, int y, unsigned z) { return z + static_cast<unsigned>(x < y ? y - x : x - y); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline long long __mul64hi(long long x, long long y) { return static_cast<long long>(__int128{x} * y >> 64); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
inline int __hadd(int x, int y) { return (x >> 1) + (y >> 1) + (x & y & 1); }
inline int __rhadd(int x, int y) { return (x >> 1) + (y >> 1) + ((x | y) & 1); }
inline unsigned __uhadd(unsigned x, unsigned y) { return (x >> 1) + (y >> 1) + (x & y & 1); }
inline unsigned __urhadd(unsigned x, unsigned y) { return (x >> 1) + (y >> 1) + ((x | y) & 1); }

inline unsigned long long __brevll(unsigned long long x) {
  unsigned long long reversed = 0;
  for (int i = 0; i < 64; ++i) reversed |= (x >> i & 1) << (63 - i);
  return reversed;
}
inline unsigned __brev(unsigned x) { return static_cast<unsigned>(__brevll(x) >> 32); }

/// Each of the four low hexadecimal digits of `selector` selects a byte of y:x; its top bit replicates that byte's
/// sign.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long all = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned digit = selector >> 4 * i & 15, byte = static_cast<unsigned>(all >> 8 * (digit & 7) & 255);
    result |= (digit & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
  }
  return result;
}

inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

namespace lab_sim {
template <class Byte, class Sum>
Sum dot_of_bytes(unsigned a, unsigned b, Sum sum) {
  for (int i = 0; i < 4; ++i) sum += Sum{static_cast<Byte>(a >> 8 * i)} * Sum{static_cast<Byte>(b >> 8 * i)};
  return sum;
}
}  // namespace lab_sim
inline int __dp4a(int a, int b, int sum) {
  return lab_sim::dot_of_bytes<signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b), sum);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) { return lab_sim::dot_of_bytes<unsigned char>(a, b, sum); }
