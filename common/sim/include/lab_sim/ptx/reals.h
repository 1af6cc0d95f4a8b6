#pragma once

#include "lab_sim/ptx/conversions.h"

// Inline PTX's arithmetic on floats and doubles. Approximations are as exact as the plain functions.

namespace lab_sim {
namespace ptx {

/// The smaller number; the other one if one is a NaN. -0 is smaller than +0.
template <class T>
LAB_SIM_INLINE T least(T a, T b) {
  if (a == b) return signbit(a) ? a : b;
  return fmin(a, b);
}
template <class T>
LAB_SIM_INLINE T greatest(T a, T b) {
  if (a == b) return signbit(a) ? b : a;
  return fmax(a, b);
}
template <class T>
LAB_SIM_INLINE T fused(T a, T b, T c) {
  return fma(a, b, c);
}
template <class T>
LAB_SIM_INLINE T quotient(T a, T b) {
  return a / b;
}
/// The second number with the sign of the first.
template <class T>
LAB_SIM_INLINE T with_sign_of(T sign, T number) {
  return copysign(number, sign);
}
template <class T>
LAB_SIM_INLINE T rcp(T x) {
  return 1 / x;
}
template <class T>
LAB_SIM_INLINE T root(T x) {
  return sqrt(x);
}
template <class T>
LAB_SIM_INLINE T rsqrt(T x) {
  return 1 / sqrt(x);
}
template <class T>
LAB_SIM_INLINE T ex2(T x) {
  return exp2(x);
}
template <class T>
LAB_SIM_INLINE T lg2(T x) {
  return log2(x);
}
template <class T>
LAB_SIM_INLINE T sine(T x) {
  return sin(x);
}
template <class T>
LAB_SIM_INLINE T cosine(T x) {
  return cos(x);
}
template <class T>
LAB_SIM_INLINE T tangent(T x) {
  return tanh(x);
}

}  // namespace ptx
}  // namespace lab_sim
