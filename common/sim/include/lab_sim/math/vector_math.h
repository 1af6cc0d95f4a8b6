#pragma once

// The intrinsics of which fast programs have own forms, without branches and calls: the compiler can use vector
// instructions in a loop over threads that calls them. Every element of a vector gets the value that a single call
// returns. Errors over all floats: docs/design/thread-loops.md. CUDA documents larger ones.

namespace lab_sim {

LAB_SIM_INLINE float as_float(int bits) { return __builtin_bit_cast(float, bits); }
LAB_SIM_INLINE int as_int(float x) { return __builtin_bit_cast(int, x); }

constexpr float log2_high = 0.693359375F,
                log2_low = -2.12194440e-4F;  // their sum is log(2); the first one has few bits

/// The exponential of x = k log(2) + r as 2^k exp(r).
LAB_SIM_INLINE float vector_exp(float x) {
  const float below = 89.0F < x ? 89.0F : x;  // a NaN stays
  const float limited = -104.0F > below ? -104.0F : below;
  const float shift = 12582912.0F;  // the sum has the nearest integer in its last bits
  const float shifted = limited * 1.44269504F + shift;
  const float k = shifted - shift;
  const float r = limited - k * log2_high - k * log2_low;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * (r * r) + r + 1.0F;
  const int exponent = as_int(shifted) - as_int(shift), half = exponent >> 1;
  return p * as_float((half + 127) * (1 << 23)) * as_float((exponent - half + 127) * (1 << 23));  // may be subnormal
}

/// The logarithm of x = 2^k (1 + m) as k log(2) + log(1 + m), with 1 + m from the root of 1/2 to that of 2.
LAB_SIM_INLINE float vector_log(float x) {
  const bool subnormal = x < 1.17549435e-38F;
  const float normal = subnormal ? x * 8388608.0F : x;
  const int bits = as_int(normal) - 0x3f3504f3;  // the root of 1/2
  const float k = static_cast<float>((bits >> 23) - (subnormal ? 23 : 0));
  const float m = as_float((bits & 0x007fffff) + 0x3f3504f3) - 1.0F, squared = m * m;
  float p = 7.0376836292e-2F;
  p = p * m - 1.1514610310e-1F;
  p = p * m + 1.1676998740e-1F;
  p = p * m - 1.2420140846e-1F;
  p = p * m + 1.4249322787e-1F;
  p = p * m - 1.6668057665e-1F;
  p = p * m + 2.0000714765e-1F;
  p = p * m - 2.4999993993e-1F;
  p = p * m + 3.3333331174e-1F;
  const float result = m + (p * m * squared + k * log2_low - 0.5F * squared) + k * log2_high;
  const float special = x == 0 ? -__builtin_inff() : x < 0 ? __builtin_nanf("") : x;  // or infinite, or a NaN
  return static_cast<unsigned>(as_int(x)) - 1U < 0x7f7fffffU ? result : special;
}

}  // namespace lab_sim
