#pragma once

#include "lab_sim/ptx/integers.h"

// Inline PTX's integer arithmetic of several words: `.cc` writes the carry (of a difference: the borrow) that addc,
// subc and madc read.

namespace lab_sim {
namespace ptx {

/// Of the thread that runs: PTX keeps it from one asm statement to the next.
inline thread_local bool carry = false;

template <class T>
LAB_SIM_INLINE T sum_with(T a, T b, bool carry_in, bool writes) {
  unsigned_of<T> sum = 0;
  const bool first = __builtin_add_overflow(static_cast<unsigned_of<T>>(a), static_cast<unsigned_of<T>>(b), &sum);
  const bool second = __builtin_add_overflow(sum, static_cast<unsigned_of<T>>(carry_in), &sum);
  if (writes) carry = first || second;
  return static_cast<T>(sum);
}
template <class T>
LAB_SIM_INLINE T difference_with(T a, T b, bool borrow_in, bool writes) {
  unsigned_of<T> rest = 0;
  const bool first = __builtin_sub_overflow(static_cast<unsigned_of<T>>(a), static_cast<unsigned_of<T>>(b), &rest);
  const bool second = __builtin_sub_overflow(rest, static_cast<unsigned_of<T>>(borrow_in), &rest);
  if (writes) carry = first || second;
  return static_cast<T>(rest);
}

#define LAB_SIM_PTX_SUM(name, of, reads, writes)    \
  template <class T>                                \
  LAB_SIM_INLINE T name(T a, T b) {                 \
    return of(a, b, reads ? carry : false, writes); \
  }
LAB_SIM_PTX_SUM(add_cc, sum_with, false, true)
LAB_SIM_PTX_SUM(addc, sum_with, true, false)
LAB_SIM_PTX_SUM(addc_cc, sum_with, true, true)
LAB_SIM_PTX_SUM(sub_cc, difference_with, false, true)
LAB_SIM_PTX_SUM(subc, difference_with, true, false)
LAB_SIM_PTX_SUM(subc_cc, difference_with, true, true)
#undef LAB_SIM_PTX_SUM

#define LAB_SIM_PTX_PRODUCT(half)                    \
  template <class T>                                 \
  LAB_SIM_INLINE T mad_##half##_cc(T a, T b, T c) {  \
    return add_cc(mul_##half(a, b), c);              \
  }                                                  \
  template <class T>                                 \
  LAB_SIM_INLINE T madc_##half(T a, T b, T c) {      \
    return addc(mul_##half(a, b), c);                \
  }                                                  \
  template <class T>                                 \
  LAB_SIM_INLINE T madc_##half##_cc(T a, T b, T c) { \
    return addc_cc(mul_##half(a, b), c);             \
  }
LAB_SIM_PTX_PRODUCT(lo)
LAB_SIM_PTX_PRODUCT(hi)
#undef LAB_SIM_PTX_PRODUCT

}  // namespace ptx
}  // namespace lab_sim
