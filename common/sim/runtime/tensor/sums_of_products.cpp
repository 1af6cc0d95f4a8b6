#include "sim/runtime/tensor/sums_of_products.hpp"

#include <algorithm>
#include <cmath>

#include "lab_sim/math/narrow_float.h"

// Each function once for any processor, and once for vectors of 256 bits, which most have.

#ifdef __x86_64__
#include <immintrin.h>
#define LAB_SIM_WIDE __attribute__((target("avx2,fma,f16c")))
#endif

namespace lab::sim {

namespace {

using eight [[gnu::vector_size(32), gnu::aligned(4), gnu::may_alias]] = float;

// So many rows at a time that all sums stay in registers.
template <int n>
[[gnu::always_inline]] inline void add_in_registers(float* sums, const float* a, const float* b, int m, int k) {
  constexpr int parts = n / 8, rows = 8 / parts;
  for (int i = 0; i < m; i += rows, sums += rows * n, a += rows * k) {
    eight sum[rows][parts];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
      for (int p = 0; p < parts; ++p) sum[r][p] = *reinterpret_cast<const eight*>(sums + r * n + p * 8);
    for (int j = 0; j < k; ++j)
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
        for (int p = 0; p < parts; ++p) sum[r][p] += a[r * k + j] * *reinterpret_cast<const eight*>(b + j * n + p * 8);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
      for (int p = 0; p < parts; ++p) *reinterpret_cast<eight*>(sums + r * n + p * 8) = sum[r][p];
  }
}

[[gnu::always_inline]] inline void add_any(float* sums, const float* a, const float* b, int m, int n, int k) {
  if (n == 8) return add_in_registers<8>(sums, a, b, m, k);
  if (n == 16) return add_in_registers<16>(sums, a, b, m, k);
  add_in_registers<32>(sums, a, b, m, k);
}

[[gnu::always_inline]] inline void add_any(double* sums, const double* a, const double* b, int m, int n, int k) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < k; ++j)
      for (int col = 0; col < n; ++col) {
        double& sum = sums[i * n + col];
        sum = __builtin_fma(a[i * k + j], b[j * n + col], sum);
      }
}

#ifdef LAB_SIM_WIDE
// Every processor with these two has f16c as well, for which clang 14 has no name here.
const bool has_wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");

template <class Number>
LAB_SIM_WIDE void add_wide(Number* sums, const Number* a, const Number* b, int m, int n, int k) {
  add_any(sums, a, b, m, n, k);
}

LAB_SIM_WIDE void widen_wide(float* to, const std::uint16_t* from, std::size_t count) {
  for (std::size_t i = 0; i + 8 <= count; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
}
#else
constexpr bool has_wide = false;
template <class Number>
void add_wide(Number*, const Number*, const Number*, int, int, int) {}
void widen_wide(float*, const std::uint16_t*, std::size_t) {}
#endif

}  // namespace

void add_products(float* sums, const float* a, const float* b, int m, int n, int k) {
  has_wide ? add_wide(sums, a, b, m, n, k) : add_any(sums, a, b, m, n, k);
}

void add_products(double* sums, const double* a, const double* b, int m, int n, int k) {
  has_wide ? add_wide(sums, a, b, m, n, k) : add_any(sums, a, b, m, n, k);
}

void widen_halves(float* to, const std::uint16_t* from, std::size_t count) {
  const std::size_t begin = has_wide ? count / 8 * 8 : 0;
  if (has_wide) widen_wide(to, from, count);
  std::transform(from + begin, from + count, to + begin, lab_sim::half_format::widen);
}

}  // namespace lab::sim
