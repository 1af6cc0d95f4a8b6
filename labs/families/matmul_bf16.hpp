#pragma once

#include <cblas.h>

#include <algorithm>
#include <bit>

#include "lab/lab_definition.hpp"

// What the labs on the product of two matrices of bf16 share. A bf16 number is the upper half of a float: its sign, its
// eight bits of exponent and seven bits of fraction.
namespace families {

using matmul_bf16_function = void(const unsigned short* a, const unsigned short* b, float* c, int n, int m, int p);

inline float widened(unsigned short x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16); }

// To the nearest bf16 number, and to the even one of two that are equally near.
inline unsigned short rounded_to_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline lab::tensor<unsigned short> rounded_to_bf16(const lab::tensor<float>& t) {
  lab::tensor<unsigned short> result{t.shape, {}};
  for (const float x : t.values) result.values.push_back(rounded_to_bf16(x));
  return result;
}

inline auto make_matmul_bf16(const lab::problem_size& s, lab::random& random) {
  const int n = s[0], m = s[1], p = s[2];
  return std::tuple{rounded_to_bf16(random.values({n, m})),
                    rounded_to_bf16(random.values({m, p})),
                    lab::output<float>({n, p}),
                    n,
                    m,
                    p};
}

inline void matmul_bf16_reference(std::span<const unsigned short> a, std::span<const unsigned short> b,
                                  std::span<float> c, int n, int m, int p) {
  lab::parallel_for(n, [&](std::int64_t row) {
    std::vector<double> sums(p);
    for (std::int64_t k = 0; k < m; ++k) {
      const double factor = widened(a[row * m + k]);
      for (std::int64_t col = 0; col < p; ++col) sums[col] += factor * widened(b[k * p + col]);
    }
    for (std::int64_t col = 0; col < p; ++col) c[row * p + col] = static_cast<float>(sums[col]);
  });
}

// The textbook's triple loop.
inline void matmul_bf16_row(std::span<const unsigned short> a, std::span<const unsigned short> b, std::span<float> c,
                            int m, int p, std::int64_t row) {
  for (std::int64_t col = 0; col < p; ++col) {
    float sum = 0;
    for (std::int64_t k = 0; k < m; ++k) sum += widened(a[row * m + k]) * widened(b[k * p + col]);
    c[row * p + col] = sum;
  }
}

inline void matmul_bf16_one_thread(std::span<const unsigned short> a, std::span<const unsigned short> b,
                                   std::span<float> c, int n, int m, int p) {
  for (int row = 0; row < n; ++row) matmul_bf16_row(a, b, c, m, p, row);
}

inline void matmul_bf16_all_threads(std::span<const unsigned short> a, std::span<const unsigned short> b,
                                    std::span<float> c, int n, int m, int p) {
  lab::parallel_for(n, [&](std::int64_t row) { matmul_bf16_row(a, b, c, m, p, row); });
}

inline void matmul_bf16_fast(std::span<const unsigned short> a, std::span<const unsigned short> b, std::span<float> c,
                             int n, int m, int p) {
  std::vector<float> wide_a(a.size()), wide_b(b.size());
  std::ranges::transform(a, wide_a.begin(), widened);
  std::ranges::transform(b, wide_b.begin(), widened);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, p, m, 1, wide_a.data(), m, wide_b.data(), p, 0, c.data(),
              p);
}

/// The launcher of c = a b for a lab; sizes are n x m x p, where a has n x m elements and b m x p.
inline lab::launcher<matmul_bf16_function> matmul_bf16() {
  return {
      .name = "matmul_bf16",
      .parameters = {"a", "b", "c", "n", "m", "p"},
      .axes = {"n", "m", "p"},
      .make = make_matmul_bf16,
      .reference = matmul_bf16_reference,
      .one_thread = matmul_bf16_one_thread,
      .all_threads = matmul_bf16_all_threads,
      .fast = matmul_bf16_fast,
      // Around fragments and tiles; rows that begin at multiples of 16 bytes and others; sums longer than a pipeline;
      // tiles wholly inside the matrices, fewer and more than a pipeline holds, beside others; more tiles than an H200
      // has multiprocessors, and more rows of tiles than a band.
      .check_sizes = {{1, 1, 1},
                      {16, 16, 16},
                      {17, 33, 65},
                      {128, 128, 128},
                      {64, 8, 1000},
                      {129, 257, 131},
                      {127, 1032, 264},
                      {256, 64, 512},
                      {300, 576, 560},
                      {2200, 24, 296},
                      {1537, 40, 3080}},
      .time_sizes = {{4096, 4096, 4096}, {8192, 8192, 8192}},
      .traces_large_sizes = true,  // the products of tensor cores take the time
      // Products of bf16 are exact in float, sums are not, and tensor cores cut off what does not fit.
      .allow = {.absolute = 4e-3, .relative = 2e-4},
      .cost =
          [](const lab::problem_size& s) {
            const double n = s[0], m = s[1], p = s[2];
            return lab::problem_cost{.bytes = 2 * (n * m + m * p) + 4 * n * p, .operations = 2 * n * m * p};
          },
  };
}

}  // namespace families
