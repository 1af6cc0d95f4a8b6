#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/gate.hpp"
#include "trace/trace_report.hpp"

namespace lab::judge {

/// The metrics by which kernels are compared without a GPU, memory traffic first.
inline constexpr std::array counted_metrics{
    traffic::load_sectors,   traffic::store_sectors,  traffic::shared_wavefronts,
    traffic::bank_conflicts, traffic::global_atomics, traffic::shared_atomics,
    traffic::load_requests,  traffic::block_barriers, traffic::launches,
    traffic::blocks,         traffic::threads};
inline constexpr std::size_t memory_metrics = 6;  ///< so many of them, from the first, are memory traffic

using counts = std::array<double, counted_metrics.size()>;

/// What a kernel asks of the device at one size, as the simulator counts it.
struct kernel_counts {
  std::string name{};  ///< "02_transpose_naive", or "naive" for peers/naive.cu; empty for the kernel under test
  counts all{};        ///< in the order of counted_metrics
  /// What the kernel's own requests need at least: sectors loaded, sectors stored, wavefronts of shared memory.
  std::array<double, 3> ideal{};
  double occupancy = 0;  ///< theoretical, from 0 to 1, of the launch that has the least
};

kernel_counts count(std::string name, const trace_report& report);

/// One sentence: the count that fell most from the step before, and the one that rose most.
std::string what_changed(const kernel_counts& before, const kernel_counts& after);

/// One sentence for a kernel without a step before: how much more it moves than its requests need.
std::string what_is_wasted(const kernel_counts& one);

/// {"load_sectors": 768, ..., "load_sectors_ideal": 768, ...}
nlohmann::json to_json(const kernel_counts& one);

}  // namespace lab::judge
