#pragma once

#include <math.h>

#include "cuda_runtime.h"

// Complex numbers of floats (names ending in f) and of doubles.
#ifdef LAB_SIM_FOR_BOTH_BEGIN
LAB_SIM_FOR_BOTH_BEGIN
#endif
#define LAB_SIM_COMPLEX(Complex, Vector, Real, f, root)                                               \
  typedef Vector Complex;                                                                             \
  inline Real cuCreal##f(Complex a) { return a.x; }                                                   \
  inline Real cuCimag##f(Complex a) { return a.y; }                                                   \
  inline Complex make_##Complex(Real x, Real y) { return make_##Vector(x, y); }                       \
  inline Complex cuConj##f(Complex a) { return make_##Vector(a.x, -a.y); }                            \
  inline Complex cuCadd##f(Complex a, Complex b) { return make_##Vector(a.x + b.x, a.y + b.y); }      \
  inline Complex cuCsub##f(Complex a, Complex b) { return make_##Vector(a.x - b.x, a.y - b.y); }      \
  inline Complex cuCmul##f(Complex a, Complex b) {                                                    \
    return make_##Vector(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                               \
  }                                                                                                   \
  inline Complex cuCfma##f(Complex a, Complex b, Complex c) { return cuCadd##f(cuCmul##f(a, b), c); } \
  inline Complex cuCdiv##f(Complex a, Complex b) {                                                    \
    const Real size = b.x * b.x + b.y * b.y;                                                          \
    return make_##Vector((a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size);             \
  }                                                                                                   \
  inline Real cuCabs##f(Complex a) { return root(a.x, a.y); }
LAB_SIM_COMPLEX(cuFloatComplex, float2, float, f, hypotf)
LAB_SIM_COMPLEX(cuDoubleComplex, double2, double, , hypot)
#undef LAB_SIM_COMPLEX
typedef cuFloatComplex cuComplex;
inline cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
#ifdef LAB_SIM_FOR_BOTH_END
LAB_SIM_FOR_BOTH_END
#endif
