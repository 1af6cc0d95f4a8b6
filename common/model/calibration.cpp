#include "model/calibration.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lab::judge {

gpu_parameters calibrated(const std::string& measured, const gpu_parameters& like) {
  const auto document = nlohmann::json::parse(measured);
  const auto& values = document.at("values");
  const auto value = [&](const char* name) { return values.at(name).get<double>(); };
  gpu_parameters gpu = like;
  gpu.name = document.at("name");
  gpu.validated = false;
  gpu.multiprocessors = document.at("multiprocessors");
  gpu.l2_mbytes = document.at("l2_mbytes");
  gpu.clock_mhz = value("multiprocessor_mhz");
  gpu.dram_gbytes_per_s = value("copy_gbytes_per_s");
  gpu.dram_read_gbytes_per_s = value("read_gbytes_per_s");
  gpu.l2_gbytes_per_s = value("l2_gbytes_per_s");
  gpu.scattered_sectors_g_per_s = value("scattered_loads_g_per_s");
  gpu.same_address_atomics_g_per_s = value("atomics_one_address_g_per_s");
  gpu.l1_latency_cycles = value("l1_latency_cycles");
  gpu.l2_latency_cycles = value("l2_latency_cycles");
  gpu.dram_latency_cycles = value("dram_latency_cycles");
  gpu.shared_latency_cycles = value("shared_latency_cycles");
  gpu.fma_latency_cycles = value("fma_latency_cycles");
  gpu.l1_request_cycles = value("cycles_per_l1_load");
  gpu.fma_warps_per_cycle = 1 / value("cycles_per_fma");
  // A barrier costs a constant, and more for each warp: blocks of 2 and of 32 warps tell them apart.
  gpu.barrier_warp_cycles = (value("barrier_cycles_1024") - value("barrier_cycles_64")) / 30;
  gpu.barrier_cycles = value("barrier_cycles_64") - 2 * gpu.barrier_warp_cycles;
  gpu.block_launch_cycles = value("block_launch_ns_per_multiprocessor_128") * gpu.clock_mhz / 1e3;
  gpu.warp_launch_cycles = value("block_launch_ns_per_multiprocessor_1024") * gpu.clock_mhz / 1e3 / 32;
  gpu.first_launch_us = value("first_launch_us");
  gpu.further_launch_us = value("further_launch_us");
  return gpu;
}

}  // namespace lab::judge
