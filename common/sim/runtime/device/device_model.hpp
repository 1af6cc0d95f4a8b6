#pragma once

#include <cstddef>
#include <string>

namespace lab::sim {

/// What a launch and its occupancy depend on; sizes in bytes.
struct device_description {
  const char* name;
  int major, minor;
  int multiprocessors, warps, blocks;  // the last two of one multiprocessor
  std::size_t shared, shared_per_block, shared_reserved;
  int l2_megabytes, bus_bits;

  int threads() const { return warps * 32; }
};

/// The device that LAB_SIM_DEVICE names, else one like an H200; an unknown name ends the process with status 2.
const device_description& device();

/// Blocks of a kernel that fit on one multiprocessor at a time, and what allows no more. Registers are not known.
struct occupancy {
  int blocks, by_warps, by_blocks, by_shared;
  const char* limiter;  // "warps", "blocks" or "shared_memory"
};
occupancy occupancy_of(const device_description& d, int threads, std::size_t shared_bytes);

}  // namespace lab::sim
