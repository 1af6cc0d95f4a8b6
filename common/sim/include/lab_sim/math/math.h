#pragma once

// Math functions that device code can call without an include. The fast variants are about as exact as the plain ones.

#include "lab_sim/math/vector_math.h"

template <class A, class B, std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, int> = 0>
constexpr auto min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B, std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>, int> = 0>
constexpr auto max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

inline float rsqrtf(float x) { return 1 / sqrtf(x); }
inline double rsqrt(double x) { return 1 / sqrt(x); }
#if defined(LAB_SIM_TRACE) || defined(LAB_SIM_COUNTED)  // whose counts are those of a call
inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
#else
inline float __expf(float x) { return lab_sim::vector_exp(x); }
inline float __logf(float x) { return lab_sim::vector_log(x); }
#endif
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __frcp_rn(float x) { return 1 / x; }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline float __frsqrt_rn(float x) { return 1 / sqrtf(x); }
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __tanf(float x) { return tanf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __exp10f(float x) { return powf(10, x); }
inline void __sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
inline float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
inline void sincospif(float x, float* s, float* c) { *s = sinf(x * 3.14159274f), *c = cosf(x * 3.14159274f); }
inline void sincospi(double x, double* s, double* c) { *s = sin(x * M_PI), *c = cos(x * M_PI); }
inline float sinpif(float x) { return static_cast<float>(sin(fmod(static_cast<double>(x), 2) * M_PI)); }
inline float cospif(float x) { return static_cast<float>(cos(fmod(static_cast<double>(x), 2) * M_PI)); }
inline double sinpi(double x) { return sin(fmod(x, 2) * M_PI); }
inline double cospi(double x) { return cos(fmod(x, 2) * M_PI); }
inline float rcbrtf(float x) { return 1 / cbrtf(x); }
inline double rcbrt(double x) { return 1 / cbrt(x); }
inline float rhypotf(float x, float y) { return 1 / hypotf(x, y); }
inline float rnorm3df(float x, float y, float z) { return 1 / norm3df(x, y, z); }
inline double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
inline float norm4df(float x, float y, float z, float w) { return sqrtf(x * x + y * y + z * z + w * w); }
inline float normcdff(float x) { return erfcf(-x * 0.707106781f) / 2; }
inline double normcdf(double x) { return erfc(-x * M_SQRT1_2) / 2; }
inline float fdividef(float x, float y) { return x / y; }
inline float __fsub_rn(float x, float y) { return x - y; }
inline double __dadd_rn(double x, double y) { return x + y; }
inline double __dsub_rn(double x, double y) { return x - y; }
inline double __dmul_rn(double x, double y) { return x * y; }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline double __drcp_rn(double x) { return 1 / x; }
inline double __dsqrt_rn(double x) { return sqrt(x); }
inline unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
inline long long llmin(long long a, long long b) { return b < a ? b : a; }
inline long long llmax(long long a, long long b) { return a < b ? b : a; }

#include "lab_sim/math/conversions.h"
#include "lab_sim/math/directed_rounding.h"
#include "lab_sim/math/integers.h"

#define LAB_SIM_CACHE_HINT(load, store)      \
  template <class T>                         \
  T load(const T* p) {                       \
    return *p;                               \
  }                                          \
  template <class T>                         \
  void store(T* p, lab_sim::same<T> value) { \
    *p = value;                              \
  }
LAB_SIM_CACHE_HINT(__ldcs, __stcs)
LAB_SIM_CACHE_HINT(__ldcg, __stcg)
LAB_SIM_CACHE_HINT(__ldca, __stwb)
LAB_SIM_CACHE_HINT(__ldcv, __stwt)
#undef LAB_SIM_CACHE_HINT
template <class T>
T __ldg(const T* p) {
  return *p;
}
