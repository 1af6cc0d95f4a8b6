#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/tensor/cells.hpp"
#include "sim/runtime/tensor/sums_of_products.hpp"
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

// The elements of an operand, and each lane's registers that hold them.
struct held {
  element type;
  int cols;
  std::size_t count;
  std::span<const cell> cells;
  const void* registers[32];

  held(operand which, const warp_product& p, element type, void* const* lanes, const void* lane_operands::*member)
      : type{type}, cols{which == operand::a ? p.k : p.n}, cells{cells_of(which, p.m, p.n, p.k, type)} {
    count = cells.size();
    for (int lane = 0; lane < 32; ++lane) registers[lane] = of_lane(lanes, lane).*member;
  }
};

// As they are stored, row by row.
template <class T>
void collect(T* into, const held& from) {
  for (const cell& c : from.cells) into[c.row * from.cols + c.col] = number_at<T, T>(from.registers[c.lane], c.place);
}

template <class T, class Number>
void collect_as(Number* into, const held& from) {
  T stored[1024];
  collect(stored, from);
  std::transform(stored, stored + from.count, into, [](T value) { return static_cast<Number>(value); });
}

template <class Number>
void collect_each(Number* into, const held& from) {
  for (const cell& c : from.cells)
    into[c.row * from.cols + c.col] = value_at<Number>(from.registers[c.lane], c.place, from.type);
}

void collect_numbers(double* into, const held& from) { collect(into, from); }
void collect_numbers(float* into, const held& from) {
  std::uint16_t bits[1024];
  switch (from.type) {
    case element::half:
      collect(bits, from);
      return widen_halves(into, bits, from.count);
    case element::bfloat16:
      collect(bits, from);
      std::transform(bits, bits + from.count, into, lab_sim::bfloat16_format::widen);
      return;
    case element::float32:
      return collect(into, from);
    case element::tf32:
      collect(into, from);
      std::transform(into, into + from.count, into, as_tf32);
      return;
    case element::int8:
      return collect_as<std::int8_t>(into, from);
    case element::uint8:
      return collect_as<std::uint8_t>(into, from);
    default:
      return collect_each(into, from);
  }
}

template <class Use>
void for_sums(const warp_product& p, void* const* lanes, Use use) {
  for (const cell& c : cells_of(operand::sums, p.m, p.n, p.k, p.d))
    use(of_lane(lanes, c.lane), c.place, c.row * p.n + c.col);
}

template <class Number>
struct factors {
  alignas(32) Number a[1024], b[1024];
  factors(const warp_product& p, void* const* lanes) {
    collect_numbers(a, {operand::a, p, p.a, lanes, &lane_operands::a});
    collect_numbers(b, {operand::b, p, p.b, lanes, &lane_operands::b});
  }
};

template <class Number>
void set_sums(const warp_product& p, void* const* lanes, const Number* sums) {
  if (p.d == element::float32)
    for_sums(p, lanes, [&](const auto& lane, int place, int at) { put(lane.d, place, static_cast<float>(sums[at])); });
  else
    for_sums(p, lanes, [&](const auto& lane, int place, int at) { set_value(lane.d, place, p.d, sums[at]); });
}

template <class Number>
void multiply_as(void* const* lanes) {
  const warp_product& p = *of_lane(lanes, 0).what;
  const factors<Number> in{p, lanes};
  alignas(32) Number sums[256];
  collect_numbers(sums, {operand::sums, p, p.c, lanes, &lane_operands::c});
  add_products(sums, in.a, in.b, p.m, p.n, p.k);
  set_sums(p, lanes, sums);
}

void set_sum(const warp_product& p, const lane_operands& lane, int place, std::int64_t product) {
  using limits = std::numeric_limits<std::int32_t>;
  const std::int64_t sum = product + number_at<std::int64_t, std::int32_t>(lane.c, place);
  put(lane.d, place,
      static_cast<std::int32_t>(p.saturates ? std::clamp<std::int64_t>(sum, limits::min(), limits::max()) : sum));
}

// Products of 8 bits, and sums of up to 64 of them, are exact in float.
void multiply_integers(void* const* lanes) {
  const warp_product& p = *of_lane(lanes, 0).what;
  const factors<float> in{p, lanes};
  alignas(32) float products[256] = {};
  add_products(products, in.a, in.b, p.m, p.n, p.k);
  for_sums(p, lanes, [&](const lane_operands& lane, int place, int at) {
    set_sum(p, lane, place, static_cast<std::int64_t>(products[at]));
  });
}

void count_bits(void* const* lanes) {
  const warp_product& p = *of_lane(lanes, 0).what;
  const auto elements = [&](operand which, element type, const void* lane_operands::*member) {
    const held from{which, p, type, lanes, member};
    std::vector<int> values(from.count);
    collect_each(values.data(), from);
    return values;
  };
  const auto a = elements(operand::a, p.a, &lane_operands::a), b = elements(operand::b, p.b, &lane_operands::b);
  for_sums(p, lanes, [&](const lane_operands& lane, int place, int at) {
    int count = 0;
    for (int i = 0; i < p.k; ++i) {
      const int left = a[static_cast<std::size_t>(at / p.n * p.k + i)];
      const int right = b[static_cast<std::size_t>(i * p.n + at % p.n)];
      count += p.by_and ? left & right : left ^ right;
    }
    set_sum(p, lane, place, count);
  });
}

template <auto operation>
void counted(void* const* lanes) {
  trace::multiplied();
  operation(lanes);
}

warp_operation operation_for(const warp_product& what) {
  if (what.a == element::bit) return &counted<&count_bits>;
  if (what.d == element::float64) return &counted<&multiply_as<double>>;
  if (what.d == element::int32) return &counted<&multiply_integers>;
  return &counted<&multiply_as<float>>;
}

}  // namespace

}  // namespace lab::sim

void lab_sim::multiply(const warp_product& what, void* d, const void* a, const void* b, const void* c, place at) {
  lab::sim::lane_operands mine{&what, d, a, b, c};
  lab::sim::block_runner::running().together(lab::sim::operation_for(what), &mine, at.data,
                                             __builtin_return_address(0));
}
