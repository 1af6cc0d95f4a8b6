#pragma once

#include <math.h>

#include "lab_sim/libraries/curand_philox.h"
#include "lab_sim/libraries/curand_xorwow.h"

// Distributions of the numbers of a generator. Uniform numbers are above 0 and at most 1.

namespace lab_sim {

inline float uniform(unsigned x) { return static_cast<float>(x) * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
inline double uniform(unsigned x, unsigned y) {
  return static_cast<double>(x ^ static_cast<unsigned long long>(y) << 21) * 0x1p-53 + 0x1p-54;
}

// By Box and Muller: two numbers of the normal distribution.
inline float2 normal(unsigned x, unsigned y) {
  constexpr float turn = 2.3283064e-10f * 6.2831855f;
  const float radius = sqrtf(-2.0f * logf(uniform(x))), angle = static_cast<float>(y) * turn + turn / 2.0f;
  return make_float2(radius * sinf(angle), radius * cosf(angle));
}
inline double2 normal(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const double radius = sqrt(-2.0 * log(uniform(x0, x1)));
  const double angle = 2 * 3.141592653589793 * uniform(y0, y1);
  return make_double2(radius * sin(angle), radius * cos(angle));
}

}  // namespace lab_sim

inline __device__ double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned x = curand(state), y = curand(state);
  return lab_sim::uniform(x, y);
}
// Philox takes one word, which gives 32 bits.
inline __device__ double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}

#define LAB_SIM_DISTRIBUTIONS(State)                                                               \
  inline __device__ float curand_uniform(State* state) { return lab_sim::uniform(curand(state)); } \
  inline __device__ float2 curand_normal2(State* state) {                                          \
    const unsigned x = curand(state), y = curand(state);                                           \
    return lab_sim::normal(x, y);                                                                  \
  }                                                                                                \
  inline __device__ double2 curand_normal2_double(State* state) {                                  \
    const unsigned a = curand(state), b = curand(state), c = curand(state), d = curand(state);     \
    return lab_sim::normal(a, b, c, d);                                                            \
  }                                                                                                \
  inline __device__ float curand_normal(State* state) {                                            \
    if (state->boxmuller_flag == 0) {                                                              \
      const float2 both = curand_normal2(state);                                                   \
      state->boxmuller_extra = both.y;                                                             \
      state->boxmuller_flag = 1;                                                                   \
      return both.x;                                                                               \
    }                                                                                              \
    state->boxmuller_flag = 0;                                                                     \
    return state->boxmuller_extra;                                                                 \
  }                                                                                                \
  inline __device__ double curand_normal_double(State* state) {                                    \
    if (state->boxmuller_flag_double == 0) {                                                       \
      const double2 both = curand_normal2_double(state);                                           \
      state->boxmuller_extra_double = both.y;                                                      \
      state->boxmuller_flag_double = 1;                                                            \
      return both.x;                                                                               \
    }                                                                                              \
    state->boxmuller_flag_double = 0;                                                              \
    return state->boxmuller_extra_double;                                                          \
  }                                                                                                \
  inline __device__ float curand_log_normal(State* state, float mean, float deviation) {           \
    return expf(mean + deviation * curand_normal(state));                                          \
  }                                                                                                \
  inline __device__ double curand_log_normal_double(State* state, double mean, double deviation) { \
    return exp(mean + deviation * curand_normal_double(state));                                    \
  }
LAB_SIM_DISTRIBUTIONS(curandStateXORWOW_t)
LAB_SIM_DISTRIBUTIONS(curandStatePhilox4_32_10_t)
#undef LAB_SIM_DISTRIBUTIONS

inline __device__ float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return make_float4(lab_sim::uniform(x.x), lab_sim::uniform(x.y), lab_sim::uniform(x.z), lab_sim::uniform(x.w));
}
inline __device__ float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  const float2 a = lab_sim::normal(x.x, x.y), b = lab_sim::normal(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
inline __device__ double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return make_double2(lab_sim::uniform(x.x, x.y), lab_sim::uniform(x.z, x.w));
}
