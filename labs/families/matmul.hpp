#pragma once

#include <cblas.h>

#include "lab/lab_definition.hpp"

// What the labs on the product of two matrices share: one launcher, one reference, the same sizes.
namespace families {

using matmul_function = void(const float* a, const float* b, float* c, int n, int m, int p);

inline auto make_matmul(const lab::problem_size& s, lab::random& random) {
  const int n = s[0], m = s[1], p = s[2];
  return std::tuple{random.values({n, m}), random.values({m, p}), lab::output<float>({n, p}), n, m, p};
}

// Rows of b one after the other, so that the reference stays bearable at a few hundred million products.
inline void matmul_reference(std::span<const float> a, std::span<const float> b, std::span<float> c, int n, int m,
                             int p) {
  lab::parallel_for(n, [&](std::int64_t row) {
    std::vector<double> sums(p);
    for (std::int64_t k = 0; k < m; ++k) {
      for (std::int64_t col = 0; col < p; ++col) sums[col] += static_cast<double>(a[row * m + k]) * b[k * p + col];
    }
    for (std::int64_t col = 0; col < p; ++col) c[row * p + col] = static_cast<float>(sums[col]);
  });
}

// The textbook's triple loop: it walks down the columns of b, which is hostile to the cache.
inline void matmul_row(std::span<const float> a, std::span<const float> b, std::span<float> c, int m, int p,
                       std::int64_t row) {
  for (std::int64_t col = 0; col < p; ++col) {
    float sum = 0;
    for (std::int64_t k = 0; k < m; ++k) sum += a[row * m + k] * b[k * p + col];
    c[row * p + col] = sum;
  }
}

inline void matmul_one_thread(std::span<const float> a, std::span<const float> b, std::span<float> c, int n, int m,
                              int p) {
  for (int row = 0; row < n; ++row) matmul_row(a, b, c, m, p, row);
}

inline void matmul_all_threads(std::span<const float> a, std::span<const float> b, std::span<float> c, int n, int m,
                               int p) {
  lab::parallel_for(n, [&](std::int64_t row) { matmul_row(a, b, c, m, p, row); });
}

inline void matmul_fast(std::span<const float> a, std::span<const float> b, std::span<float> c, int n, int m, int p) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, p, m, 1, a.data(), m, b.data(), p, 0, c.data(), p);
}

/// The launcher of c = a b for a lab; sizes are n x m x p, where a has n x m elements and b m x p.
inline lab::launcher<matmul_function> matmul() {
  return {
      .name = "matmul",
      .parameters = {"a", "b", "c", "n", "m", "p"},
      .axes = {"n", "m", "p"},
      .make = make_matmul,
      .reference = matmul_reference,
      .one_thread = matmul_one_thread,
      .all_threads = matmul_all_threads,
      .fast = matmul_fast,
      .check_sizes = {{1, 1, 1},
                      {32, 32, 32},
                      {31, 33, 29},
                      {1, 67, 65},
                      {65, 67, 1},
                      {64, 1, 96},
                      {97, 100, 131},
                      {130, 64, 67},
                      {523, 5, 1031}},
      .time_sizes = {{256, 512, 256}, {2000, 1000, 5000}, {4096, 4096, 4096}},
      // Rounding errors of a sum grow more slowly than its terms, whatever the order; a lost term or an input rounded
      // to fewer bits is far outside.
      .allow = {.accumulated = 4},
      .cost =
          [](const lab::problem_size& s) {
            const double n = s[0], m = s[1], p = s[2];
            return lab::problem_cost{.bytes = sizeof(float) * (n * m + m * p + n * p), .operations = 2 * n * m * p};
          },
  };
}

}  // namespace families
