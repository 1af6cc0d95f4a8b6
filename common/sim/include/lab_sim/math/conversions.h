#pragma once

// Conversions between numbers. Those to integers clamp, whereas x86 returns the smallest integer.

namespace lab_sim {
template <class Integer, class Real>
Integer clamp_to(Real x) {
  constexpr Real end = static_cast<Real>(Integer{1} << (sizeof(Integer) * 8 - 2)) * (Integer(-1) < 0 ? 2 : 4);
  constexpr Integer most = Integer(-1) < 0 ? Integer(~(Integer{1} << (sizeof(Integer) * 8 - 1))) : Integer(-1);
  if (x != x) return sizeof(Integer) == 8 || sizeof(Real) == 8 ? Integer{1} << (sizeof(Integer) * 8 - 1) : 0;
  if (x >= end) return most;
  if constexpr (Integer(-1) < 0) return x < -end ? -most - 1 : static_cast<Integer>(x);
  return x <= 0 ? 0 : static_cast<Integer>(x);
}
}  // namespace lab_sim

#define LAB_SIM_TO_INTEGER(real, Real, integer, Integer)                                            \
  inline Integer __##real##2##integer##_rz(Real x) { return lab_sim::clamp_to<Integer>(x); }        \
  inline Integer __##real##2##integer##_rn(Real x) { return lab_sim::clamp_to<Integer>(rint(x)); }  \
  inline Integer __##real##2##integer##_rd(Real x) { return lab_sim::clamp_to<Integer>(floor(x)); } \
  inline Integer __##real##2##integer##_ru(Real x) { return lab_sim::clamp_to<Integer>(ceil(x)); }
LAB_SIM_TO_INTEGER(float, float, int, int)
LAB_SIM_TO_INTEGER(float, float, uint, unsigned)
LAB_SIM_TO_INTEGER(float, float, ll, long long)
LAB_SIM_TO_INTEGER(float, float, ull, unsigned long long)
LAB_SIM_TO_INTEGER(double, double, int, int)
LAB_SIM_TO_INTEGER(double, double, uint, unsigned)
LAB_SIM_TO_INTEGER(double, double, ll, long long)
LAB_SIM_TO_INTEGER(double, double, ull, unsigned long long)
#undef LAB_SIM_TO_INTEGER

inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }

inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
inline float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}
