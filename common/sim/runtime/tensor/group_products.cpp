#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <vector>

#include "lab_sim/device.h"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/execution/execution_order.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/tensor/sums_of_products.hpp"
#include "sim/runtime/tensor/values.hpp"

// wgmma. A product is performed when a warp of its group waits for it, so it reads shared memory as late as it may.

namespace lab::sim {

namespace {

using lab_sim::group_product;

struct pending_product {
  group_product what;
  std::uint64_t a, b;
  std::vector<float*> sums;  // of the warp's lanes, one after the other
  const void* pc;
};

struct of_warp {
  std::deque<pending_product> products;
  std::deque<std::size_t> groups;  // products in each closed group
  std::size_t in_groups = 0;
  std::uint64_t closed = 0, done = 0;  // groups
  bool fenced = false;
  std::vector<std::pair<const float*, float>> results;  // of the products that are done
};

// The state of the block that this OS thread runs.
struct block_products {
  std::uint64_t serial = 0;
  std::array<of_warp, 32> warps;
};
thread_local block_products state;

of_warp& warp_state(std::size_t warp) {
  if (const auto now = block_runner::running().serial(); state.serial != now) {
    state.serial = now;
    state.warps = {};
  }
  return state.warps[warp];
}

std::size_t running_warp() { return linear_index(threadIdx) / 32; }

// A sample only counts. Without its sums it takes a fraction of the time.
bool needs_values() {
  static const bool needed = sampled_fraction() == 0;
  return needed;
}

// Where an operand's elements are.
struct descriptor {
  std::uintptr_t start;
  unsigned leading, stride, swizzle;

  explicit descriptor(std::uint64_t bits)
      : start{reinterpret_cast<std::uintptr_t>(lab_sim::from_shared_address((bits & 0x3fff) << 4))},
        leading{static_cast<unsigned>(bits >> 16 & 0x3fff) << 4},
        stride{static_cast<unsigned>(bits >> 32 & 0x3fff) << 4},
        swizzle{static_cast<unsigned>(bits >> 62)} {}

  /// Element k of row or column `i`; `contiguous` says that elements of the same k lie side by side.
  std::uintptr_t at(unsigned i, unsigned k, bool contiguous) const {
    std::uintptr_t address;
    if (swizzle == 1)
      address = contiguous ? start + i / 64 * leading + k / 8 * stride + k % 8 * 128 + i % 64 * 2
                           : start + i / 8 * stride + i % 8 * 128 + k * 2;
    else
      address = contiguous ? start + i / 8 * stride + k / 8 * leading + k % 8 * 16 + i % 8 * 2
                           : start + i / 8 * stride + k / 8 * leading + i % 8 * 16 + k % 8 * 2;
    return swizzle == 1 ? address ^ (address >> 7 & 7) << 4 : address;
  }
};

// Calls f(i, k, address) for each 16 bytes of the elements i in [begin, end) and k in [0, 16): eight elements that lie
// side by side, from this one on.
template <class F>
void each_piece(const descriptor& d, unsigned begin, unsigned end, bool contiguous, F f) {
  for (unsigned i = begin; i < end; i += contiguous ? 8 : 1)
    for (unsigned k = 0; k < 16; k += contiguous ? 1 : 8)
      f(i, k, reinterpret_cast<const char*>(d.at(i, k, contiguous)));
}

// The same for the 16 rows of `a` that a warp multiplies, and for `b`, which the first warp reads for its group.
template <class F>
void each_piece(const pending_product& p, std::size_t warp_in_group, F f) {
  const auto row = static_cast<unsigned>(warp_in_group) * 16;
  const auto address_alone = [&](unsigned, unsigned, const char* piece) { f(piece); };
  each_piece(descriptor{p.a}, row, row + 16, p.what.a_by_columns, address_alone);
  if (warp_in_group == 0)
    each_piece(descriptor{p.b}, 0, static_cast<unsigned>(p.what.n), p.what.b_by_rows, address_alone);
}

// Where an operand's element i, k stands as a number: a row by row, of b eight columns after the other.
constexpr auto place_in_a = [](unsigned i, unsigned k) { return std::size_t{i} * 16 + k; };
constexpr auto place_in_b = [](unsigned i, unsigned k) { return std::size_t{i} / 8 * 128 + k * 8 + i % 8; };

// The operand's elements i in [begin, end), and k in [0, 16). Places count from `begin`.
template <class Format, class Place>
void widen(const descriptor& d, unsigned begin, unsigned end, bool contiguous, Place place, float* to) {
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
  widen<Format>(descriptor{p.a}, row, row + 16, p.what.a_by_columns, place_in_a, to.a);
}

template <class Format>
void widen_b(const pending_product& p, numbers& to) {
  widen<Format>(descriptor{p.b}, 0, static_cast<unsigned>(p.what.n), p.what.b_by_rows, place_in_b, to.b);
}

bool have_same_b(const pending_product& p, const pending_product& q) {
  return p.b == q.b && p.what.n == q.what.n && p.what.half == q.what.half && p.what.b_by_rows == q.what.b_by_rows;
}

// Calls f for each two sums that are neighbours in a row, as a lane has them and as a number.
template <class F>
void each_pair(const pending_product& p, float* sums, F f) {
  const auto n = static_cast<unsigned>(p.what.n);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned j = 0; j < n / 4; ++j)
      f(&p.sums[lane * n / 2 + j * 2], &sums[j / 2 * 128 + (lane / 4 + j % 2 * 8) * 8 + lane % 4 * 2]);
}

// The 16 rows of the warp. `of` has the numbers of b.
void multiply(const pending_product& p, std::size_t warp_in_group, numbers& of) {
  const auto n = static_cast<std::size_t>(p.what.n);
  p.what.half ? widen_a<lab_sim::half_format>(p, warp_in_group, of)
              : widen_a<lab_sim::bfloat16_format>(p, warp_in_group, of);
  for (float& factor : of.a) factor *= static_cast<float>(p.what.sign);
  if (p.what.adds)
    each_pair(p, of.sums, [](float* const* mine, float* pair) { pair[0] = *mine[0], pair[1] = *mine[1]; });
  else
    std::fill_n(of.sums, 16 * n, 0.0f);
  for (std::size_t at = 0; at < 16 * n; at += 128) add_products(of.sums + at, of.a, of.b + at, 16, 8, 16);
  each_pair(p, of.sums, [](float* const* mine, const float* pair) { *mine[0] = pair[0], *mine[1] = pair[1]; });
}

void end_product(of_warp& mine, std::size_t warp_in_group, numbers& of) {
  const auto& p = mine.products.front();
  if (needs_values()) multiply(p, warp_in_group, of);
  if (trace::checks()) {
    each_piece(p, warp_in_group, [](const char* piece) { trace::product_is_done_with(piece); });
    mine.results.clear();
    for (float* const sum : p.sums) mine.results.emplace_back(sum, *sum);
  }
  mine.products.pop_front();
}

// Ends the first group of each warp, product by product, because the four warps have one b.
void end_groups(std::size_t first) {
  std::array<std::size_t, 4> left;
  for (std::size_t w = 0; w < 4; ++w) {
    auto& mine = warp_state(first + w);
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
      auto& mine = warp_state(first + w);
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
  if (mine.results.size() != next.sums.size()) return true;
  for (std::size_t i = 0; i < next.sums.size(); ++i)
    if (mine.results[i].first != next.sums[i] || __builtin_memcmp(next.sums[i], &mine.results[i].second, 4) != 0)
      return true;
  return false;
}

void begin_product(void* const* lanes) {
  const auto& any = call_of(lanes, 0);
  auto& mine = warp_state(running_warp());
  pending_product next{*any.what, any.a, any.b, {}, any.pc};
  for (unsigned lane = 0; needs_values() && lane < 32; ++lane)
    next.sums.insert(next.sums.end(), call_of(lanes, lane).sums, call_of(lanes, lane).sums + any.what->n / 2);
  if (trace::checks() && lacks_fence(mine, next))
    trace::not_ordered("a product uses registers after other instructions, and no wgmma.fence is between them", any.pc,
                       nullptr);
  mine.fenced = true;  // reported once
  if (trace::checks())
    each_piece(next, running_warp() % 4, [&](const char* piece) { trace::product_reads(piece, any.pc); });
  mine.products.push_back(std::move(next));
}

void fence(void* const*) { warp_state(running_warp()).fenced = true; }

void close_group(void* const*) {
  const std::size_t warp = running_warp();
  auto& mine = warp_state(warp);
  mine.groups.push_back(mine.products.size() - mine.in_groups);
  mine.in_groups = mine.products.size();
  ++mine.closed;
  block_runner::running().wake_parked();
}

void nothing(void* const*) {}

// Whether all warps of the group have closed so many groups.
bool all_closed(std::size_t first, std::uint64_t groups) {
  for (std::size_t w = first; w < first + 4; ++w)
    if (warp_state(w).closed < groups) return false;
  return true;
}

void await(unsigned open, const void* pc) {
  const std::size_t warp = running_warp(), first = warp / 4 * 4;
  const auto closed = warp_state(warp).closed;
  const std::uint64_t wanted = closed > open ? closed - open : 0;
  while (warp_state(warp).done < wanted && !all_closed(first, closed)) block_runner::running().park(pc);
  while (warp_state(warp).done < wanted) end_groups(first);
  warp_state(warp).fenced = false;
}

// Registers of each warp.
struct register_file {
  std::uint64_t serial = 0;
  std::array<unsigned, 32> of_warp{};
};
thread_local register_file registers_of_block;

unsigned at_launch(unsigned threads) { return std::min(255u, 65536 / threads) / 8 * 8; }

register_file& registers() {
  auto& block = block_runner::running();
  if (registers_of_block.serial != block.serial()) {
    registers_of_block.serial = block.serial();
    registers_of_block.of_warp.fill(0);
    for (unsigned w = 0; w < (block.threads() + 31) / 32; ++w)
      registers_of_block.of_warp[w] = at_launch(block.threads());
  }
  return registers_of_block;
}

bool fits(std::size_t warp, unsigned count) {
  auto& block = block_runner::running();
  unsigned used = count;
  for (std::size_t w = 0; w < 32; ++w)
    if (w != warp) used += registers().of_warp[w];
  return used <= at_launch(block.threads()) * ((block.threads() + 31) / 32);
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

void lab_sim::set_registers(unsigned count, bool takes, place at) {
  const void* const pc = __builtin_return_address(0);
  lab::sim::at_once(&nothing, nullptr, at, pc);
  auto& block = block_runner::running();
  const std::size_t warp = running_warp();
  const unsigned has = registers().of_warp[warp];
  if (count % 8 != 0 || count < 24 || count > 256 || (takes ? count < has : count > has))
    block.abandon(cudaErrorLaunchFailure, hazard_kind::launch_error,
                  "setmaxnreg asks for " + std::to_string(count) + " registers, and a thread has " +
                      std::to_string(has) + "; the number must be a multiple of 8 from 24 to 256");
  while (!fits(warp, count)) block.park(pc);
  registers().of_warp[warp] = count;
  if (!takes) block.wake_parked();
}
