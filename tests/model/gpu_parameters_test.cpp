#include "model/gpu_parameters.hpp"

#include "catch.hpp"
#include "lab/lab_definition.hpp"
#include "model/calibration.hpp"
#include "text/text_file.hpp"

using namespace lab;
using namespace lab::judge;

TEST_CASE("the table has the measured H200 first; other GPUs are not validated") {
  REQUIRE_FALSE(known_gpus().empty());
  CHECK(known_gpus().front().name == "h200");
  for (const auto& gpu : known_gpus()) CHECK(gpu.validated == (gpu.name == "h200" || gpu.name == "h100_sxm"));
  CHECK(find_gpu("h100").multiprocessors == 114);
  CHECK(find_gpu("h200").multiprocessors == 132);
  CHECK(find_gpu("a100").multiprocessors == 108);
  CHECK(find_gpu("rtx4090").multiprocessors == 128);
  CHECK(find_gpu("t4").multiprocessors == 40);
  CHECK_THROWS_AS(find_gpu("h300"), usage_error);
}

TEST_CASE("a table that lacks a parameter, or has a word for a number, is refused") {
  CHECK_THROWS(read_gpus("| parameter | x |\n|---|---|\n| warps | 64 |\n"));
  CHECK_THROWS(read_gpus("| parameter | x |\n|---|---|\n| wraps | 64 |\n"));
  CHECK_THROWS(read_gpus("| parameter | x |\n|---|---|\n| warps | many |\n"));
}

TEST_CASE("the H200's column agrees with the recorded microbenchmarks") {
  const auto& table = find_gpu("h200");
  const auto measured = calibrated(read_whole(MEASURED "/h200_parameters.json"), table);
  const auto near = [](double a, double b) { return a / b > 0.9 && a / b < 1.1; };
  CHECK(measured.multiprocessors == table.multiprocessors);
  CHECK(near(measured.clock_mhz, table.clock_mhz));
  CHECK(near(measured.dram_gbytes_per_s, table.dram_gbytes_per_s));
  CHECK(near(measured.dram_read_gbytes_per_s, table.dram_read_gbytes_per_s));
  CHECK(near(measured.l2_gbytes_per_s, table.l2_gbytes_per_s));
  CHECK(near(measured.scattered_sectors_g_per_s, table.scattered_sectors_g_per_s));
  CHECK(near(measured.same_address_atomics_g_per_s, table.same_address_atomics_g_per_s));
  CHECK(near(measured.l1_latency_cycles, table.l1_latency_cycles));
  CHECK(near(measured.l2_latency_cycles, table.l2_latency_cycles));
  CHECK(near(measured.dram_latency_cycles, table.dram_latency_cycles));
  CHECK(near(measured.shared_latency_cycles, table.shared_latency_cycles));
  CHECK(near(measured.fma_latency_cycles, table.fma_latency_cycles));
  CHECK(near(measured.block_launch_cycles, table.block_launch_cycles));
  CHECK(near(measured.warp_launch_cycles, table.warp_launch_cycles));
  CHECK(near(measured.first_launch_us, table.first_launch_us));
  CHECK(near(measured.further_launch_us, table.further_launch_us));
  CHECK(table_of(measured).find("| block_launch_cycles | 155") != std::string::npos);
}
