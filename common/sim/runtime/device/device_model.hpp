#pragma once

#include <cstddef>
#include <string>

namespace lab::sim {

/// The properties that limit a launch and its occupancy; sizes in bytes.
struct device_description {
  const char* name;
  int major, minor;
  int multiprocessors, warps, blocks;  // warps and blocks: of one multiprocessor
  std::size_t shared, shared_per_block, shared_reserved;
  int l2_megabytes, bus_bits;

  int threads() const { return warps * 32; }
};

/// The device that LAB_SIM_DEVICE names, by default an H200. An unknown name ends the process with status 2.
const device_description& device();

/// The blocks of a kernel that are resident on one multiprocessor, and the limiter. Registers are unknown.
struct occupancy {
  int blocks, by_warps, by_blocks, by_shared;
  const char* limiter;  // "warps", "blocks" or "shared_memory"
};
occupancy occupancy_of(const device_description& model, int threads, std::size_t shared_bytes);

}  // namespace lab::sim
