#pragma once

#include <cstddef>
#include <string>

#include "sim/simulated_gpus.hpp"

namespace lab::sim {

/// The device that LAB_SIM_DEVICE names, by default an H200. An unknown name ends the process with status 2.
const device_description& device();

/// The blocks of a kernel that are resident on one multiprocessor, and the limiter. Registers are unknown.
struct occupancy {
  int blocks, by_warps, by_blocks, by_shared;
  const char* limiter;  // "warps", "blocks" or "shared_memory"
};
occupancy occupancy_of(const device_description& model, int threads, std::size_t shared_bytes);

}  // namespace lab::sim
