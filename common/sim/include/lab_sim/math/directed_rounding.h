#pragma once

// Arithmetic and conversions that round down (_rd), up (_ru) or toward zero (_rz).

namespace lab_sim {

enum class rounding { down, up, zero };

template <class T>
struct rounded {  // T: float or double
  static T sum(rounding mode, T x, T y);
  static T product(rounding mode, T x, T y);
  static T quotient(rounding mode, T x, T y);
  static T root(rounding mode, T x);
  static T fma(rounding mode, T x, T y, T z);
  static T of(rounding mode, long long x);
  static T of(rounding mode, unsigned long long x);
  static T of(rounding mode, double x);
};

}  // namespace lab_sim

#define LAB_SIM_DIRECTED_REAL(T, f, fused, end, mode)                                                          \
  inline T __##f##add_##end(T x, T y) { return lab_sim::rounded<T>::sum(lab_sim::rounding::mode, x, y); }      \
  inline T __##f##sub_##end(T x, T y) { return lab_sim::rounded<T>::sum(lab_sim::rounding::mode, x, -y); }     \
  inline T __##f##mul_##end(T x, T y) { return lab_sim::rounded<T>::product(lab_sim::rounding::mode, x, y); }  \
  inline T __##f##div_##end(T x, T y) { return lab_sim::rounded<T>::quotient(lab_sim::rounding::mode, x, y); } \
  inline T __##f##rcp_##end(T x) { return lab_sim::rounded<T>::quotient(lab_sim::rounding::mode, 1, x); }      \
  inline T __##f##sqrt_##end(T x) { return lab_sim::rounded<T>::root(lab_sim::rounding::mode, x); }            \
  inline T __##fused##_##end(T x, T y, T z) { return lab_sim::rounded<T>::fma(lab_sim::rounding::mode, x, y, z); }
#define LAB_SIM_DIRECTED_CONVERSION(from, From, to, To, end, mode, Wide)            \
  inline To __##from##2##to##_##end(From x) {                                       \
    return lab_sim::rounded<To>::of(lab_sim::rounding::mode, static_cast<Wide>(x)); \
  }
#define LAB_SIM_DIRECTED(end, mode)                                                                 \
  LAB_SIM_DIRECTED_REAL(float, f, fmaf, end, mode)                                                  \
  LAB_SIM_DIRECTED_REAL(double, d, fma, end, mode)                                                  \
  LAB_SIM_DIRECTED_CONVERSION(int, int, float, float, end, mode, long long)                         \
  LAB_SIM_DIRECTED_CONVERSION(uint, unsigned, float, float, end, mode, unsigned long long)          \
  LAB_SIM_DIRECTED_CONVERSION(ll, long long, float, float, end, mode, long long)                    \
  LAB_SIM_DIRECTED_CONVERSION(ull, unsigned long long, float, float, end, mode, unsigned long long) \
  LAB_SIM_DIRECTED_CONVERSION(double, double, float, float, end, mode, double)                      \
  LAB_SIM_DIRECTED_CONVERSION(ll, long long, double, double, end, mode, long long)                  \
  LAB_SIM_DIRECTED_CONVERSION(ull, unsigned long long, double, double, end, mode, unsigned long long)
LAB_SIM_DIRECTED(rd, down)
LAB_SIM_DIRECTED(ru, up)
LAB_SIM_DIRECTED(rz, zero)
#undef LAB_SIM_DIRECTED
#undef LAB_SIM_DIRECTED_CONVERSION
#undef LAB_SIM_DIRECTED_REAL
