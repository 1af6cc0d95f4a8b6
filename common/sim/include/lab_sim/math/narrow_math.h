#pragma once

#include "lab_sim/place.h"

// Functions that half and bfloat16 share, for numbers and for pairs.

#define LAB_SIM_ONE template <class F>
#define LAB_SIM_FLOAT lab_sim::narrow_float<F>
#define LAB_SIM_SAME lab_sim::same<lab_sim::narrow_float<F>>
#define LAB_SIM_PAIR lab_sim::narrow_pair<F>
#define LAB_SIM_SAME_PAIR lab_sim::same<lab_sim::narrow_pair<F>>

namespace lab_sim {
template <class F>
narrow_float<F> clamped(narrow_float<F> v) {
  return float(v) > 0 ? (float(v) < 1 ? v : narrow_float<F>{1.f}) : narrow_float<F>{0.f};
}
template <class F>
narrow_float<F> fused(narrow_float<F> a, narrow_float<F> b, narrow_float<F> c) {
  return fma(double(float(a)), double(float(b)), double(float(c)));
}
template <class F>
bool is_nan(narrow_float<F> v) {
  return float(v) != float(v);
}
}  // namespace lab_sim

// name(a, b) for numbers, name2(a, b) for pairs, from an expression of numbers.
#define LAB_SIM_TWO(name, expression)                                                    \
  LAB_SIM_ONE LAB_SIM_FLOAT name(LAB_SIM_FLOAT a, LAB_SIM_SAME b) { return expression; } \
  LAB_SIM_ONE LAB_SIM_PAIR name##2(LAB_SIM_PAIR a, LAB_SIM_SAME_PAIR b) { return {name(a.x, b.x), name(a.y, b.y)}; }
LAB_SIM_TWO(__hadd, a + b)
LAB_SIM_TWO(__hsub, a - b)
LAB_SIM_TWO(__hmul, a* b)
LAB_SIM_TWO(__hadd_rn, a + b)
LAB_SIM_TWO(__hsub_rn, a - b)
LAB_SIM_TWO(__hmul_rn, a* b)
LAB_SIM_TWO(__hadd_sat, lab_sim::clamped(a + b))
LAB_SIM_TWO(__hsub_sat, lab_sim::clamped(a - b))
LAB_SIM_TWO(__hmul_sat, lab_sim::clamped(a* b))
LAB_SIM_TWO(__hmin, lab_sim::is_nan(a) || b < a ? b : a)
LAB_SIM_TWO(__hmax, lab_sim::is_nan(a) || a < b ? b : a)
#undef LAB_SIM_TWO
LAB_SIM_ONE LAB_SIM_FLOAT __hdiv(LAB_SIM_FLOAT a, LAB_SIM_SAME b) { return a / b; }
LAB_SIM_ONE LAB_SIM_PAIR __h2div(LAB_SIM_PAIR a, LAB_SIM_SAME_PAIR b) { return a / b; }

#define LAB_SIM_THREE(name, expression)                                                                  \
  LAB_SIM_ONE LAB_SIM_FLOAT name(LAB_SIM_FLOAT a, LAB_SIM_SAME b, LAB_SIM_SAME c) { return expression; } \
  LAB_SIM_ONE LAB_SIM_PAIR name##2(LAB_SIM_PAIR a, LAB_SIM_SAME_PAIR b, LAB_SIM_SAME_PAIR c) {           \
    return {name(a.x, b.x, c.x), name(a.y, b.y, c.y)};                                                   \
  }
LAB_SIM_THREE(__hfma, lab_sim::fused(a, b, c))
LAB_SIM_THREE(__hfma_sat, lab_sim::clamped(lab_sim::fused(a, b, c)))
LAB_SIM_THREE(__hfma_relu, __hmax(lab_sim::fused(a, b, c), LAB_SIM_FLOAT{0.f}))
#undef LAB_SIM_THREE

LAB_SIM_ONE LAB_SIM_FLOAT __hneg(LAB_SIM_FLOAT a) { return -a; }
LAB_SIM_ONE LAB_SIM_PAIR __hneg2(LAB_SIM_PAIR a) { return -a; }
LAB_SIM_ONE LAB_SIM_FLOAT __habs(LAB_SIM_FLOAT a) { return LAB_SIM_FLOAT::from_bits(a.bits() & 0x7fff); }
LAB_SIM_ONE LAB_SIM_PAIR __habs2(LAB_SIM_PAIR a) { return {__habs(a.x), __habs(a.y)}; }
LAB_SIM_ONE bool __hisnan(LAB_SIM_FLOAT a) { return lab_sim::is_nan(a); }
LAB_SIM_ONE int __hisinf(LAB_SIM_FLOAT a) {
  return (a.bits() & 0x7fff) != F::infinity ? 0 : a.bits() & 0x8000 ? -1 : 1;
}

// Comparisons: of numbers, of pairs as 1 or 0 in each half, and of both halves at once.
#define LAB_SIM_COMPARE(name, op)                                                \
  LAB_SIM_ONE bool __h##name(LAB_SIM_FLOAT a, LAB_SIM_SAME b) { return a op b; } \
  LAB_SIM_ONE LAB_SIM_PAIR __h##name##2(LAB_SIM_PAIR a, LAB_SIM_SAME_PAIR b) {   \
    return {LAB_SIM_FLOAT{a.x op b.x}, LAB_SIM_FLOAT{a.y op b.y}};               \
  }                                                                              \
  LAB_SIM_ONE bool __hb##name##2(LAB_SIM_PAIR a, LAB_SIM_SAME_PAIR b) { return a.x op b.x && a.y op b.y; }
LAB_SIM_COMPARE(eq, ==)
LAB_SIM_COMPARE(ne, !=)
LAB_SIM_COMPARE(lt, <)
LAB_SIM_COMPARE(le, <=)
LAB_SIM_COMPARE(gt, >)
LAB_SIM_COMPARE(ge, >=)
#undef LAB_SIM_COMPARE

#define LAB_SIM_MATH(name, expression)                    \
  LAB_SIM_ONE LAB_SIM_FLOAT h##name(LAB_SIM_FLOAT a) {    \
    const float v = a;                                    \
    return LAB_SIM_FLOAT{static_cast<float>(expression)}; \
  }                                                       \
  LAB_SIM_ONE LAB_SIM_PAIR h2##name(LAB_SIM_PAIR a) { return {h##name(a.x), h##name(a.y)}; }
LAB_SIM_MATH(sqrt, sqrtf(v))
LAB_SIM_MATH(rsqrt, 1 / sqrtf(v))
LAB_SIM_MATH(rcp, 1 / v)
LAB_SIM_MATH(exp, expf(v))
LAB_SIM_MATH(exp2, exp2f(v))
LAB_SIM_MATH(exp10, powf(10, v))
LAB_SIM_MATH(log, logf(v))
LAB_SIM_MATH(log2, log2f(v))
LAB_SIM_MATH(log10, log10f(v))
LAB_SIM_MATH(sin, sinf(v))
LAB_SIM_MATH(cos, cosf(v))
LAB_SIM_MATH(tanh, tanhf(v))
LAB_SIM_MATH(floor, floorf(v))
LAB_SIM_MATH(ceil, ceilf(v))
LAB_SIM_MATH(rint, rintf(v))
LAB_SIM_MATH(trunc, truncf(v))
#undef LAB_SIM_MATH

// Conversions of T (a number) and T2 (a pair); word as in __float2word, pair_word as in __low2word.
#define LAB_SIM_CONVERSIONS(T, T2, word)                                                             \
  inline T __float2##word(float v) { return v; }                                                     \
  inline T __float2##word##_rn(float v) { return v; }                                                \
  inline T __double2##word(double v) { return v; }                                                   \
  inline T __int2##word##_rn(int v) { return v; }                                                    \
  inline T __uint2##word##_rn(unsigned v) { return v; }                                              \
  inline T __short2##word##_rn(short v) { return v; }                                                \
  inline T __ushort2##word##_rn(unsigned short v) { return v; }                                      \
  inline T __ll2##word##_rn(long long v) { return v; }                                               \
  inline T __ushort_as_##word(unsigned short bits) { return T::from_bits(bits); }                    \
  inline T __short_as_##word(short bits) { return T::from_bits(static_cast<unsigned short>(bits)); } \
  inline float __##word##2float(T v) { return v; }                                                   \
  inline int __##word##2int_rn(T v) { return __float2int_rn(v); }                                    \
  inline int __##word##2int_rz(T v) { return __float2int_rz(v); }                                    \
  inline int __##word##2int_rd(T v) { return __float2int_rd(v); }                                    \
  inline int __##word##2int_ru(T v) { return __float2int_ru(v); }                                    \
  inline unsigned __##word##2uint_rn(T v) { return v > T{0} ? static_cast<unsigned>(rintf(v)) : 0; } \
  inline unsigned short __##word##_as_ushort(T v) { return v.bits(); }                               \
  inline short __##word##_as_short(T v) { return static_cast<short>(v.bits()); }                     \
  inline T2 __float2##word##2_rn(float v) { return {v, v}; }                                         \
  inline T2 __floats2##word##2_rn(float x, float y) { return {x, y}; }                               \
  inline T2 __float22##word##2_rn(float2 v) { return {v.x, v.y}; }                                   \
  inline float2 __##word##22float2(T2 v) { return make_float2(v.x, v.y); }                           \
  inline T2 __halves2##word##2(T x, T y) { return {x, y}; }                                          \
  inline T2 __##word##2##word##2(T v) { return {v, v}; }                                             \
  inline T __low2##word(T2 v) { return v.x; }                                                        \
  inline T __high2##word(T2 v) { return v.y; }                                                       \
  inline T2 __low2##word##2(T2 v) { return {v.x, v.x}; }                                             \
  inline T2 __high2##word##2(T2 v) { return {v.y, v.y}; }                                            \
  inline T2 __lows2##word##2(T2 a, T2 b) { return {a.x, b.x}; }                                      \
  inline T2 __highs2##word##2(T2 a, T2 b) { return {a.y, b.y}; }                                     \
  inline T2 make_##word##2(T x, T y) { return {x, y}; }
template <class F>
float __low2float(LAB_SIM_PAIR v) {
  return v.x;
}
template <class F>
float __high2float(LAB_SIM_PAIR v) {
  return v.y;
}
template <class F>
LAB_SIM_PAIR __lowhigh2highlow(LAB_SIM_PAIR v) {
  return {v.y, v.x};
}
#undef LAB_SIM_ONE
#undef LAB_SIM_FLOAT
#undef LAB_SIM_SAME
#undef LAB_SIM_PAIR
#undef LAB_SIM_SAME_PAIR
