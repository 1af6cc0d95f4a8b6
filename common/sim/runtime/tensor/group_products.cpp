#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <vector>

#include "lab_sim/device.h"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/execution/execution_order.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/tensor/operand_descriptor.hpp"
#include "sim/runtime/tensor/sum_places.hpp"
#include "sim/runtime/tensor/sums_of_products.hpp"
#include "sim/runtime/tensor/values.hpp"

// wgmma. A product is performed when a warp of its group waits for it, so it reads shared memory as late as it may.

namespace lab::sim {

namespace {

using lab_sim::group_product;

struct pending_product {
  group_product what;
  std::uint64_t a, b;
  sum_places sums;
  const void* pc;
};

struct of_warp {
  std::deque<pending_product> products;
  std::deque<std::size_t> groups;  // products in each closed group
  std::size_t in_groups = 0;
  std::uint64_t closed = 0, done = 0;  // groups
  bool fenced = false;
  sum_places done_sums;  // of the last product that is done
  std::vector<float> results;
};

// The state of one block.
struct block_products {
  std::uint64_t serial = 0;
  std::array<of_warp, 32> warps;
};

of_warp* warps() {
  auto& block = block_runner::running();
  if (!block.products()) block.products() = std::make_shared<block_products>();
  auto& here = *static_cast<block_products*>(block.products().get());
  if (here.serial != block.serial()) {
    here.serial = block.serial();
    here.warps = {};
  }
  return here.warps.data();
}

std::size_t running_warp() { return linear_index(threadIdx) / 32; }

// A sample only counts. Without its sums it takes a fraction of the time.
bool needs_values() {
  static const bool needed = sampled_fraction() == 0;
  return needed;
}

// The same for the 16 rows of `a` that a warp multiplies, and for `b`, which the first warp reads for its group.
template <class F>
void each_piece(const pending_product& p, std::size_t warp_in_group, F f) {
  const auto row = static_cast<unsigned>(warp_in_group) * 16;
  const auto address_alone = [&](unsigned, unsigned, const char* piece) { f(piece); };
  each_piece(operand_descriptor{p.a}, row, row + 16, p.what.a_by_columns, address_alone);
  if (warp_in_group == 0)
    each_piece(operand_descriptor{p.b}, 0, static_cast<unsigned>(p.what.n), p.what.b_by_rows, address_alone);
}

// Where an operand's element i, k stands as a number: a row by row, of b eight columns after the other.
constexpr auto place_in_a = [](unsigned i, unsigned k) { return std::size_t{i} * 16 + k; };
constexpr auto place_in_b = [](unsigned i, unsigned k) { return std::size_t{i} / 8 * 128 + k * 8 + i % 8; };

// The operand's elements i in [begin, end), and k in [0, 16). Places count from `begin`.
template <class Format, class Place>
void widen(const operand_descriptor& d, unsigned begin, unsigned end, bool contiguous, Place place, float* to) {
  each_piece(d, begin, end, contiguous, [&](unsigned i, unsigned k, const char* piece) {
    std::uint16_t eight[8];
    std::memcpy(eight, piece, sizeof eight);
    for (unsigned e = 0; e < 8; ++e)
      to[contiguous ? place(i - begin + e, k) : place(i - begin, k + e)] = Format::widen(eight[e]);
  });
}

// The operands and sums of one product, as numbers.
struct numbers {
  alignas(32) float a[16 * 16], b[16 * 256], sums[16 * 256];
};

template <class Format>
void widen_a(const pending_product& p, std::size_t warp_in_group, numbers& to) {
  const auto row = static_cast<unsigned>(warp_in_group) * 16;
  widen<Format>(operand_descriptor{p.a}, row, row + 16, p.what.a_by_columns, place_in_a, to.a);
}

template <class Format>
void widen_b(const pending_product& p, numbers& to) {
  widen<Format>(operand_descriptor{p.b}, 0, static_cast<unsigned>(p.what.n), p.what.b_by_rows, place_in_b, to.b);
}

bool have_same_b(const pending_product& p, const pending_product& q) {
  return p.b == q.b && p.what.n == q.what.n && p.what.half == q.what.half && p.what.b_by_rows == q.what.b_by_rows;
}

// Where a lane's sum i, of an even i, and the next one are in the numbers of its warp.
std::size_t place_of_pair(unsigned lane, unsigned i) {
  return std::size_t{i} / 4 * 128 + (lane / 4 + i / 2 % 2 * 8) * 8 + lane % 4 * 2;
}

// The 16 rows of the warp. `of` has the numbers of b.
void multiply(const pending_product& p, std::size_t warp_in_group, numbers& of) {
  const auto n = static_cast<std::size_t>(p.what.n);
  p.what.half ? widen_a<lab_sim::half_format>(p, warp_in_group, of)
              : widen_a<lab_sim::bfloat16_format>(p, warp_in_group, of);
  for (float& factor : of.a) factor *= static_cast<float>(p.what.sign);
  if (p.what.adds)
    p.sums.each_pair([&](unsigned lane, unsigned i, float one, float other) {
      float* const pair = of.sums + place_of_pair(lane, i);
      pair[0] = one, pair[1] = other;
    });
  else
    std::fill_n(of.sums, 16 * n, 0.0f);
  for (std::size_t at = 0; at < 16 * n; at += 128) add_products(of.sums + at, of.a, of.b + at, 16, 8, 16);
  p.sums.each_pair([&](unsigned lane, unsigned i, float& one, float& other) {
    const float* const pair = of.sums + place_of_pair(lane, i);
    one = pair[0], other = pair[1];
  });
}

void end_product(of_warp& mine, std::size_t warp_in_group, numbers& of) {
  const auto& p = mine.products.front();
  if (needs_values()) multiply(p, warp_in_group, of);
  if (trace::checks()) {
    each_piece(p, warp_in_group, [](const char* piece) { trace::product_is_done_with(piece); });
    mine.done_sums = p.sums;
    mine.results = p.sums.values();
  }
  mine.products.pop_front();
}

// Ends the first group of each warp, product by product, because the four warps have one b.
void end_groups(of_warp* group) {
  std::array<std::size_t, 4> left;
  for (std::size_t w = 0; w < 4; ++w) {
    auto& mine = group[w];
    left[w] = mine.groups.front();
    mine.groups.pop_front();
    mine.in_groups -= left[w];
    ++mine.done;
  }
  static thread_local numbers of;  // a fiber's stack is the kernel's
  auto& here = of;
  for (bool any = true; any;) {
    any = false;
    pending_product widened{};  // none has such a b
    for (std::size_t w = 0; w < 4; ++w) {
      if (left[w] == 0) continue;
      auto& mine = group[w];
      const auto& p = mine.products.front();
      if (needs_values() && !have_same_b(widened, p)) {
        p.what.half ? widen_b<lab_sim::half_format>(p, here) : widen_b<lab_sim::bfloat16_format>(p, here);
        widened.what = p.what, widened.b = p.b;
      }
      end_product(mine, w, here);
      any = --left[w] > 0 || any;
    }
  }
}

struct lane_call {
  const group_product* what;
  float* const* sums;
  std::uint64_t a, b;
  const void* pc;
};

const lane_call& call_of(void* const* lanes, unsigned lane) { return *static_cast<const lane_call*>(lanes[lane]); }

// The registers of the first product, or of one that follows others in them, need no fence.
bool lacks_fence(const of_warp& mine, const pending_product& next) {
  if (mine.fenced) return false;
  for (const auto& p : mine.products)
    if (p.sums == next.sums) return false;
  if (mine.done_sums != next.sums) return true;
  const auto now = next.sums.values();
  return __builtin_memcmp(now.data(), mine.results.data(), now.size() * sizeof(float)) != 0;
}

void begin_product(void* const* lanes) {
  trace::multiplied();
  const auto& any = call_of(lanes, 0);
  auto& mine = warps()[running_warp()];
  pending_product next{*any.what, any.a, any.b, {}, any.pc};
  if (needs_values()) next.sums = {any.what->n / 2u, [&](unsigned lane) { return call_of(lanes, lane).sums; }};
  if (trace::checks() && lacks_fence(mine, next))
    trace::not_ordered("a product uses registers after other instructions, and no wgmma.fence is between them", any.pc,
                       nullptr);
  mine.fenced = true;  // reported once
  if (trace::checks())
    each_piece(next, running_warp() % 4, [&](const char* piece) { trace::product_reads(piece, any.pc); });
  mine.products.push_back(std::move(next));
}

void fence(void* const*) { warps()[running_warp()].fenced = true; }

void close_group(void* const*) {
  auto& mine = warps()[running_warp()];
  mine.groups.push_back(mine.products.size() - mine.in_groups);
  mine.in_groups = mine.products.size();
  ++mine.closed;
  block_runner::running().wake_parked();
}

void nothing(void* const*) {}

// Whether all warps of the group have closed so many groups.
bool all_closed(const of_warp* group, std::uint64_t groups) {
  return std::all_of(group, group + 4, [&](const of_warp& w) { return w.closed >= groups; });
}

void await(unsigned open, const void* pc) {
  const std::size_t warp = running_warp();
  auto* const group = warps() + warp / 4 * 4;
  auto& mine = group[warp % 4];
  const auto closed = mine.closed;
  const std::uint64_t wanted = closed > open ? closed - open : 0;
  while (mine.done < wanted && !all_closed(group, closed)) block_runner::running().park(pc);
  while (mine.done < wanted) end_groups(group);
  mine.fenced = false;
}

void at_once(warp_operation operation, void* mine, lab_sim::place at, const void* pc) {
  block_runner::running().together(operation, mine, at.data, pc);
}

}  // namespace

}  // namespace lab::sim

using namespace lab::sim;

void lab_sim::fence_products(place at) { lab::sim::at_once(&fence, nullptr, at, __builtin_return_address(0)); }
void lab_sim::close_products(place at) { lab::sim::at_once(&close_group, nullptr, at, __builtin_return_address(0)); }

void lab_sim::multiply_later(const group_product& what, float* const* sums, unsigned long long a, unsigned long long b,
                             place at) {
  const void* const pc = __builtin_return_address(0);
  lane_call mine{&what, sums, a, b, pc};
  lab::sim::at_once(&begin_product, &mine, at, pc);
}

void lab_sim::await_products(unsigned groups, place at) {
  const void* const pc = __builtin_return_address(0);
  lab::sim::at_once(&nothing, nullptr, at, pc);
  await(groups, pc);
}
