#include "model/predict.hpp"

#include <cmath>

#include "catch.hpp"

using namespace lab::judge;

namespace {

// One cycle is 1 ns, and all rates are round numbers, so that the cases can be computed by hand.
gpu_parameters simple_gpu() {
  gpu_parameters gpu{.name = "simple", .validated = true};
  gpu.multiprocessors = 2, gpu.clock_mhz = 1000, gpu.warps = 64, gpu.blocks = 32;
  gpu.shared_kbytes = 100, gpu.registers = 65536, gpu.schedulers = 4, gpu.fma_warps_per_cycle = 4, gpu.l2_mbytes = 10;
  gpu.dram_gbytes_per_s = gpu.dram_read_gbytes_per_s = 1000, gpu.l2_gbytes_per_s = 4000;
  gpu.scattered_sectors_g_per_s = 10, gpu.same_address_atomics_g_per_s = 1;
  gpu.l1_latency_cycles = 50, gpu.l2_latency_cycles = 250, gpu.dram_latency_cycles = 650;
  gpu.shared_latency_cycles = 30, gpu.fma_latency_cycles = 4, gpu.barrier_cycles = 10, gpu.barrier_warp_cycles = 2;
  gpu.l1_request_cycles = 1, gpu.block_launch_cycles = 1e-6, gpu.warp_launch_cycles = 1e-6;
  gpu.first_launch_us = 2, gpu.further_launch_us = 1, gpu.dram_ramp_us = 1;
  return gpu;
}

// Between ten rounds of loads: ten times 20 instructions of 4 cycles, each of which waits for the one before.
constexpr double between = 0.8;

launch_demand one_block_each() { return {.kernel = "k", .blocks = 2, .threads = 128}; }

}  // namespace

TEST_CASE("issue slots: 80000 instructions of each block take 20000 cycles of four schedulers") {
  auto d = one_block_each();
  d.instructions = 160000;
  const auto time = predict(d, simple_gpu());
  CHECK(time.us == Approx(20.0).epsilon(1e-3));
  CHECK(time.largest == limit::issue);
}

TEST_CASE("latency: rounds that leave L1 and L2 wait for DRAM, and a chain of multiply-adds for itself") {
  auto d = one_block_each();
  d.rounds = 10, d.round_latency_share = 1, d.dram_latency_share = 1;
  CHECK(predict(d, simple_gpu()).us == Approx(6.5 + between).epsilon(1e-3));
  d.dram_latency_share = 0;
  CHECK(predict(d, simple_gpu()).us == Approx(2.5 + between).epsilon(1e-3));
  d.chain = 1000;
  CHECK(predict(d, simple_gpu()).us == Approx(6.5 + between).epsilon(1e-3));
  CHECK(predict(d, simple_gpu()).largest == limit::latency);
}

TEST_CASE("a block computes while loads of its next tile are on their way") {
  auto d = one_block_each();
  d.instructions = 160000;  // 20 us
  d.hidden_rounds = 10, d.round_latency_share = 1, d.dram_latency_share = 1;
  CHECK(predict(d, simple_gpu()).us == Approx(20).epsilon(1e-3));
  d.hidden_rounds = 100;
  CHECK(predict(d, simple_gpu()).us == Approx(10 * (6.5 + between)).epsilon(1e-3));
}

TEST_CASE("a block of two warps keeps two of the four schedulers busy, unless other blocks run beside it") {
  auto d = one_block_each();
  d.threads = 64, d.instructions = 160000;
  CHECK(predict(d, simple_gpu()).us == Approx(40).epsilon(1e-3));
  d.blocks = 8, d.instructions *= 4;  // four of them on each multiprocessor
  CHECK(predict(d, simple_gpu()).us == Approx(80).epsilon(1e-3));
}

TEST_CASE("a barrier costs more for a block of more warps") {
  auto d = one_block_each();
  d.barriers = 100;
  CHECK(predict(d, simple_gpu()).us == Approx(1.8).epsilon(1e-3));
}

TEST_CASE("device memory: 40 MB at 1000 GB/s take 40 us") {
  auto d = one_block_each();
  d.dram_read_bytes = 30e6, d.dram_written_bytes = 10e6;
  const auto call = predict(std::vector{d}, simple_gpu());
  CHECK(call.launches[0].us == Approx(40).epsilon(1e-3));
  CHECK(call.us == Approx(43).epsilon(1e-3));  // with the launch and the ramp of device memory
  CHECK(call.largest == limit::dram);
}

TEST_CASE("the other warps of a block work while one waits for shared memory or a multiply-add") {
  auto d = one_block_each();
  d.instructions = 16000, d.chain = 250, d.shared_exposures = 20;
  CHECK(predict(d, simple_gpu()).us == Approx(2.0).epsilon(1e-3));  // 1.6 us of waits behind 2 us of instructions
  d.shared_exposures = 100;
  CHECK(predict(d, simple_gpu()).us == Approx(4.0).epsilon(1e-3));
}

TEST_CASE("a unit limits a kernel if it works 60% of the time, else latency does") {
  auto d = one_block_each();
  d.instructions = 160000, d.rounds = 10, d.round_latency_share = 1, d.dram_latency_share = 1;
  CHECK(predict(d, simple_gpu()).largest == limit::issue);  // 20 of 28.5 us, with the launch
  d.rounds = 20;
  CHECK(predict(d, simple_gpu()).largest == limit::tail);  // 20 of 35 us: one block waits alone
}

TEST_CASE("L1 counts on the only busy multiprocessor, the schedulers on all") {
  auto d = one_block_each();
  d.blocks = 1, d.shared_wavefronts = 20000, d.rounds = 1, d.round_latency_share = 1;
  CHECK(predict(d, simple_gpu()).largest == limit::shared);
  d.shared_wavefronts = 0, d.instructions = 80000;
  CHECK(predict(d, simple_gpu()).largest == limit::tail);
}

TEST_CASE("resident blocks hide latency until the multiprocessor holds no more") {
  launch_demand d{.kernel = "k", .blocks = 64, .threads = 1024};
  d.rounds = 10, d.round_latency_share = 1, d.dram_latency_share = 1;
  CHECK(resident_blocks(d, simple_gpu()) == 2);
  CHECK(predict(d, simple_gpu()).us == Approx(16 * (6.5 + between)).epsilon(1e-3));
  d.threads = 128;
  CHECK(resident_blocks(d, simple_gpu()) == 16);
  CHECK(predict(d, simple_gpu()).us == Approx(2 * (6.5 + between)).epsilon(1e-3));
  d.registers = 128;
  CHECK(resident_blocks(d, simple_gpu()) == 4);
  d.registers = 32, d.shared_bytes = 49 * 1024;
  CHECK(resident_blocks(d, simple_gpu()) == 2);
}

TEST_CASE("the last wave takes as long as a full one if latency limits it") {
  launch_demand d{.kernel = "k", .blocks = 2 * 17, .threads = 128};
  d.rounds = 10, d.round_latency_share = 1, d.dram_latency_share = 1;
  const auto time = predict(d, simple_gpu());
  CHECK(time.us == Approx(2 * (6.5 + between)).epsilon(1e-3));
  CHECK(time.each_us[static_cast<std::size_t>(limit::tail)] > 5);
}

TEST_CASE("atomics at one address come one after another") {
  auto d = one_block_each();
  d.busiest_atomics = 5000;
  CHECK(predict(d, simple_gpu()).us == Approx(5).epsilon(1e-3));
  CHECK(predict(d, simple_gpu()).largest == limit::atomics);
}

TEST_CASE("each further launch costs its own time") {
  const auto d = one_block_each();
  CHECK(predict(std::vector{d, d, d}, simple_gpu()).us == Approx(4).margin(0.01));
  CHECK(predict(std::vector{d, d, d}, simple_gpu()).largest == limit::launches);
  CHECK(predict(std::vector<launch_demand>{}, simple_gpu()).us == 0);
}

TEST_CASE("instructions that wait for each other take a latency each, as a chain of multiply-adds does") {
  auto d = one_block_each();
  d.serial = 1000;
  CHECK(predict(d, simple_gpu()).us == Approx(4).epsilon(1e-3));
}

TEST_CASE("the units of a multiprocessor work at the same time: the busiest takes nearly all of it") {
  auto d = one_block_each();
  d.instructions = 160000, d.shared_wavefronts = 20000;  // 20 us and 10 us
  CHECK(predict(d, simple_gpu()).us == Approx(20 * std::pow(1 + 1. / 16, 0.25)).epsilon(1e-3));
}

TEST_CASE("L2 limits a copy as Nsight Compute counts it: what misses L2 is moved twice") {
  auto d = one_block_each();
  d.dram_read_bytes = d.dram_written_bytes = 20e6, d.l2_sectors = 40e6 / 32;  // 40 us of device memory
  auto gpu = simple_gpu();
  gpu.l2_gbytes_per_s = 2300;  // (0.77 x 40 MB + 0.94 x 20 MB + 1.48 x 20 MB) / 2300 = 34 us; DRAM: 20 + 16 us
  CHECK(predict(d, gpu).largest == limit::dram);
  gpu.l2_gbytes_per_s = 2000;
  CHECK(predict(d, gpu).largest == limit::l2);
}

TEST_CASE("results that are still in L2 at the end do not count as work of device memory") {
  auto d = one_block_each();
  d.dram_read_bytes = 1e6, d.dram_written_bytes = 3e6;  // L2 keeps 4 MB of 10
  CHECK(predict(d, simple_gpu()).largest != limit::dram);
  d.dram_written_bytes = 40e6;
  CHECK(predict(d, simple_gpu()).largest == limit::dram);
}

TEST_CASE("sectors that arrive from L2 are work of L1") {
  auto d = one_block_each();
  d.l1_cycles = 10000, d.l1_requests = 10000, d.rounds = 10, d.round_latency_share = 1;
  CHECK(predict(d, simple_gpu()).largest != limit::shared);
  d.l1_fills = 10000;  // 5000 cycles more: 7.5 of 11.4 us with the launch
  CHECK(predict(d, simple_gpu()).largest == limit::shared);
}

TEST_CASE("two limits within 15% are balanced") {
  auto d = one_block_each();
  d.dram_read_bytes = 10e6, d.instructions = 16000. * 4.5;
  CHECK(predict(d, simple_gpu()).balanced);
  d.instructions /= 2;
  CHECK_FALSE(predict(d, simple_gpu()).balanced);
}
