#pragma once

#include <string>
#include <string_view>

#include "lab/size.hpp"
#include "text/word_table.hpp"

namespace lab {

// The counts that a gate can limit, by their words in the JSON documents; trace/metrics.md explains each. A request is
// one memory instruction of one warp; in sectors per request, one for more than 128 bytes, such as of float4, counts as
// several. A sector is 32 bytes of global memory. The first two are those of the worst access, occupancy that of the
// worst launch, load_requests_per_warp and concurrent_launches the most of any launch; the others add up all launches.
#define LAB_TRAFFIC_METRICS(METRIC) \
  METRIC(load_sectors_per_request)  \
  METRIC(store_sectors_per_request) \
  METRIC(bank_conflicts)            \
  METRIC(shared_requests)           \
  METRIC(shared_wavefronts)         \
  METRIC(load_requests)             \
  METRIC(load_requests_per_warp)    \
  METRIC(load_sectors)              \
  METRIC(store_sectors)             \
  METRIC(sectors)                   \
  METRIC(global_atomics)            \
  METRIC(shared_atomics)            \
  METRIC(block_barriers)            \
  METRIC(launches)                  \
  METRIC(blocks)                    \
  METRIC(threads)                   \
  METRIC(active_lanes)              \
  METRIC(occupancy)                 \
  METRIC(concurrent_launches)

enum class traffic { LAB_TRAFFIC_METRICS(LAB_ENUMERATOR) };

/// The words of all metrics, in the order of the enumeration.
constexpr std::string_view traffic_words[] = {LAB_TRAFFIC_METRICS(LAB_WORD)};

constexpr std::string_view word(traffic metric) { return traffic_words[static_cast<int>(metric)]; }

/// A limit of a kernel's traffic at one size. The simulator counts, so the result is the same on every machine.
struct gate {
  traffic metric{};
  problem_size at{};
  double limit = 1e18;   ///< the most that passes
  double least = 0;      ///< the least that passes
  std::string why{};     ///< one sentence: what a kernel beyond the limit has not understood
  std::string kernel{};  ///< part of the name of the kernels that count; empty for all
  /// How many times slower a kernel beyond the limit ran than the solution, on the GPU that gate_costs.json names; 0
  /// if it was not measured. Below `costly` the gate is a remark: a kernel beyond it passes.
  double costs = 0;
  problem_size costs_at{};  ///< the size of that measurement

  static constexpr double costly = 1.05;
  bool remark() const { return costs > 0 && costs < costly; }
};

}  // namespace lab
