#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/gpu_parameters.hpp"

namespace lab::judge {

/// What one launch demands of a GPU. Totals are of the whole grid; instructions are of warps.
struct launch_demand {
  std::string kernel{};
  double blocks = 0, threads = 0;  ///< threads: of a block
  double shared_bytes = 0, registers = 32;
  double instructions = 0, fp32 = 0;
  double shared_wavefronts = 0, l1_cycles = 0, l1_requests = 0;
  double bank_conflicts = 0;                     ///< of those wavefronts
  double wasted_sectors = 0;                     ///< of l2_sectors: sectors that coalesced requests would not need
  double l1_fills = 0;                           ///< sectors that L1 loads from L2
  double l2_sectors = 0, scattered_sectors = 0;  ///< scattered: of requests that use a part of each sector
  double dram_read_bytes = 0, dram_written_bytes = 0;
  double busiest_atomics = 0;      ///< sectors that atomics of warps change in one slice of L2
  double rounds = 0;               ///< of dependent global loads, of one warp
  double hidden_rounds = 0;        ///< further rounds, during which the warp computes
  double round_latency_share = 0;  ///< of the rounds that leave L1
  double dram_latency_share = 0;   ///< of those rounds that leave L2
  double chain = 0;                ///< multiply-adds that wait for each other, of one warp
  double barriers = 0;             ///< of one block
  double shared_exposures = 0;     ///< waits for shared memory, of one warp
  double serial = 0;               ///< instructions of one warp that wait for each other
};

/// What a launch can be limited by. The order is that of limit_words.
enum class limit { dram, l2, scattered, shared, issue, fp32, latency, launch_rate, atomics, tail, launches };
inline constexpr std::size_t limits = 11;

/// In the words of Nsight Compute: "DRAM throughput", "issue slots" ...
std::string_view words(limit what);

struct launch_time {
  std::string kernel{};
  double us = 0;                         ///< without the launch's own time
  std::array<double, limits> each_us{};  ///< the time if nothing else limited the launch
  limit largest = limit::dram;
  bool balanced = false;  ///< two limits are within 15%
};

struct modelled_call {
  double us = 0;
  std::vector<launch_time> launches{};
  limit largest = limit::launches;  ///< of the launch that takes longest, or the launches themselves
  bool balanced = false;
};

/// The time of one launch, and what would limit it.
launch_time predict(const launch_demand& demand, const gpu_parameters& gpu);

/// The time of a launcher's call: its launches one after another, from a cold L2.
modelled_call predict(const std::vector<launch_demand>& demands, const gpu_parameters& gpu);

/// Blocks of this launch that one multiprocessor holds.
double resident_blocks(const launch_demand& demand, const gpu_parameters& gpu);

}  // namespace lab::judge
