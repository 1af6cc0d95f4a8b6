#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::judge {

/// One column of gpus.md.
struct gpu_parameters {
  std::string name{};
  bool validated = false;
  double multiprocessors = 0, clock_mhz = 0, warps = 0, blocks = 0, shared_kbytes = 0, registers = 0;
  double schedulers = 0, fma_warps_per_cycle = 0, l2_mbytes = 0;
  double dram_gbytes_per_s = 0, dram_read_gbytes_per_s = 0, l2_gbytes_per_s = 0;
  double scattered_sectors_g_per_s = 0, same_address_atomics_g_per_s = 0;
  double dram_ramp_us = 0, l1_request_cycles = 0, barrier_warp_cycles = 0, block_launch_cycles = 0;
  double l1_latency_cycles = 0, l2_latency_cycles = 0, dram_latency_cycles = 0;
  double shared_latency_cycles = 0, fma_latency_cycles = 0, barrier_cycles = 0, warp_launch_cycles = 0;
  double first_launch_us = 0, further_launch_us = 0;
};

/// Reads the table. @throws std::runtime_error if a parameter is missing, unknown or not a number
std::vector<gpu_parameters> read_gpus(std::string_view markdown);

/// The GPUs of gpus.md, the H200 first.
const std::vector<gpu_parameters>& known_gpus();

/// @throws usage_error that lists the known names
const gpu_parameters& find_gpu(std::string_view name);

}  // namespace lab::judge
