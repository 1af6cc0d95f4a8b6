#pragma once

#include <cstddef>

namespace lab::sim {

/// The properties that limit a launch and its occupancy; sizes in bytes. Source: the table "Technical Specifications
/// per Compute Capability" of the CUDA C++ Programming Guide, and the data sheet of each GPU.
struct device_description {
  const char* name;
  int major, minor;
  int multiprocessors, warps, blocks;  // warps and blocks: of one multiprocessor
  std::size_t shared, shared_per_block, shared_reserved;
  int l2_megabytes, bus_bits;

  int threads() const { return warps * 32; }
};

inline constexpr std::size_t kilobyte = 1024;

// Multiprocessors; warps and blocks of one; shared memory of one, of a block, reserved for each block; L2; bus.
inline constexpr device_description simulated_gpus[] = {
    {"h200", 9, 0, 132, 64, 32, 228 * kilobyte, 227 * kilobyte, kilobyte, 50, 6144},
    {"h100", 9, 0, 132, 64, 32, 228 * kilobyte, 227 * kilobyte, kilobyte, 50, 5120},
    {"b200", 10, 0, 148, 64, 32, 228 * kilobyte, 227 * kilobyte, kilobyte, 126, 8192},
    {"a100", 8, 0, 108, 64, 32, 164 * kilobyte, 163 * kilobyte, kilobyte, 40, 5120},
    {"rtx5090", 12, 0, 170, 48, 24, 100 * kilobyte, 99 * kilobyte, kilobyte, 96, 512},
    {"rtx4090", 8, 9, 128, 48, 24, 100 * kilobyte, 99 * kilobyte, kilobyte, 72, 384},
    {"rtx3090", 8, 6, 82, 48, 16, 100 * kilobyte, 99 * kilobyte, kilobyte, 6, 384},
    {"t4", 7, 5, 40, 32, 16, 64 * kilobyte, 64 * kilobyte, 0, 4, 256},
};

}  // namespace lab::sim
