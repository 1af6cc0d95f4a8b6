#pragma once

#include <cstddef>
#include <cstdint>

// The arithmetic of a warp's products. Matrices are stored row by row, and k runs upwards in every sum.

namespace lab::sim {

/// sums += a b, where a has m x k elements and b has k x n; m is a multiple of 8, and n is 8, 16 or 32. The products of
/// the types that tensor cores multiply are exact in float, except doubles, whose products are not rounded.
void add_products(float* sums, const float* a, const float* b, int m, int n, int k);
void add_products(double* sums, const double* a, const double* b, int m, int n, int k);

void widen_halves(float* to, const std::uint16_t* from, std::size_t count);

}  // namespace lab::sim
