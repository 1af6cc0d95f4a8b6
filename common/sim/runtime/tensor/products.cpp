#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/tensor/values.hpp"

// Products of matrices by a warp.

namespace lab::sim {

namespace {

using lab_sim::warp_product;

struct lane_operands {
  const warp_product* what;
  void* d;
  const void *a, *b, *c;
};

const lane_operands& of_lane(void* const* lanes, int lane) { return *static_cast<const lane_operands*>(lanes[lane]); }

// A matrix, row by row.
template <class Number>
struct matrix {
  int cols;
  std::vector<Number> values;
  matrix(int rows, int cols) : cols{cols}, values(static_cast<std::size_t>(rows * cols)) {}
  Number* row(int i) { return values.data() + i * cols; }
};

template <class Number>
void collect(matrix<Number>& into, operand which, const warp_product& p, element type, void* const* lanes,
             const void* lane_operands::*registers) {
  layout::of(which, p.m, p.n, p.k, type).for_each([&](int lane, int i, int row, int col) {
    into.row(row)[col] = value_at<Number>(of_lane(lanes, lane).*registers, i, type);
  });
}

// Products of 8 and 16 bits are exact in float, so only sums are rounded. A product of doubles is not rounded.
template <class Number>
void add_row(Number* sums, Number factor, const Number* row, int n) {
  for (int j = 0; j < n; ++j)
    if constexpr (std::is_same_v<Number, double>)
      sums[j] = std::fma(factor, row[j], sums[j]);
    else
      sums[j] += factor * row[j];
}

void add_bits(std::int64_t* sums, std::int64_t factor, const std::int64_t* row, int n, bool by_and) {
  for (int j = 0; j < n; ++j) sums[j] += by_and ? factor & row[j] : factor ^ row[j];
}

template <class Number>
Number result(const warp_product& p, Number sum) {
  using limits = std::numeric_limits<std::int32_t>;
  if constexpr (std::is_integral_v<Number>)
    if (p.saturates) return std::clamp<Number>(sum, limits::min(), limits::max());
  return sum;
}

template <class Number>
void multiply_as(void* const* lanes) {
  const warp_product& p = *of_lane(lanes, 0).what;
  matrix<Number> a{p.m, p.k}, b{p.k, p.n}, sums{p.m, p.n};
  collect(a, operand::a, p, p.a, lanes, &lane_operands::a);
  collect(b, operand::b, p, p.b, lanes, &lane_operands::b);
  collect(sums, operand::sums, p, p.c, lanes, &lane_operands::c);
  for (int i = 0; i < p.m; ++i)
    for (int k = 0; k < p.k; ++k) {
      if constexpr (std::is_integral_v<Number>)
        if (p.a == element::bit) {
          add_bits(sums.row(i), a.row(i)[k], b.row(k), p.n, p.by_and);
          continue;
        }
      add_row(sums.row(i), a.row(i)[k], b.row(k), p.n);
    }
  layout::of(operand::sums, p.m, p.n, p.k, p.d).for_each([&](int lane, int i, int row, int col) {
    set_value(of_lane(lanes, lane).d, i, p.d, result(p, sums.row(row)[col]));
  });
}

warp_operation operation_for(const warp_product& what) {
  if (what.d == element::float64) return &multiply_as<double>;
  if (what.d == element::int32) return &multiply_as<std::int64_t>;
  return &multiply_as<float>;
}

}  // namespace

}  // namespace lab::sim

void lab_sim::multiply(const warp_product& what, void* d, const void* a, const void* b, const void* c, place at) {
  lab::sim::lane_operands mine{&what, d, a, b, c};
  lab::sim::block_runner::running().together(lab::sim::operation_for(what), &mine, at.data,
                                             __builtin_return_address(0));
}
