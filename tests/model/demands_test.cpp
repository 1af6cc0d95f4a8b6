#include "model/demands.hpp"

#include "catch.hpp"

using namespace lab::judge;

namespace {

constexpr double blocks = 1000;

// A sample of ten blocks of 64 threads, each of whose two warps loads once.
trace_report sample() {
  launch one{.kernel = "k", .grid = {1000, 1, 1}, .block = {64, 1, 1}};
  one.blocks_run = 10, one.requests = 20, one.lanes = 640;
  one.lines.push_back({.file = "k.cu",
                       .line = 3,
                       .op = "load",
                       .space = "global",
                       .requests = 20,
                       .sectors = 80,
                       .sectors_ideal = 80,
                       .merged_wavefronts = 20,
                       .merged_requests = 20,
                       .cache_lines = 20});
  one.memory.push_back({.allocation = 1, .bytes = 1 << 20, .loaded_sectors = 80, .sectors_loaded_by_each_block = 80});
  return {.launches = {one}};
}

// Five instructions of each thread.
kernel_profile counted(double counted_blocks) {
  const double threads = 64 * counted_blocks;
  return {.kernel = "k",
          .threads = threads,
          .instructions = 5 * threads,
          .global_loads = threads,
          .rounds = threads,
          .load_groups = threads,
          .serial = 3 * threads};
}

launch_demand demand(const trace_report& trace, const kernel_profile& profile) {
  const auto found = demands_of(trace, {profile}, find_gpu("h200"));
  REQUIRE(found.problem.empty());
  return found.launches.at(0);
}

}  // namespace

TEST_CASE("a counted run that ran other blocks than the traced one demands the same") {
  for (const double of_run : {10., 3., 25.}) {
    const auto d = demand(sample(), counted(of_run));
    CHECK(d.instructions == Approx(5 * 2 * blocks));
    CHECK(d.rounds == Approx(1));
    CHECK(d.serial == Approx(3));
  }
}

TEST_CASE("L1 looks up two lines of a load in a cycle, and reads each bank once in a cycle") {
  auto trace = sample();
  CHECK(demand(trace, counted(10)).l1_cycles == Approx(2 * blocks));
  trace.launches[0].lines[0].cache_lines = 20 * 32;  // each lane has a line of its own
  trace.launches[0].lines[0].sectors = 20 * 32;
  CHECK(demand(trace, counted(10)).l1_cycles == Approx(2 * blocks * 16));
  trace.launches[0].lines[0].cache_lines = 20 * 4;  // every fourth word: four lines, but four words of each bank
  trace.launches[0].lines[0].sectors = 20 * 16;
  trace.launches[0].lines[0].merged_wavefronts = 20 * 4;
  CHECK(demand(trace, counted(10)).l1_cycles == Approx(2 * blocks * 4));
}

TEST_CASE("L1 gets the sectors of loads from L2, but not those of stores") {
  auto trace = sample();
  trace.launches[0].lines.push_back({.file = "k.cu",
                                     .line = 4,
                                     .op = "store",
                                     .space = "global",
                                     .requests = 20,
                                     .sectors = 80,
                                     .sectors_ideal = 80});
  const auto d = demand(trace, counted(10));
  CHECK(d.l1_fills == Approx(8 * blocks));
  CHECK(d.l2_sectors == Approx(16 * blocks));
}

TEST_CASE("loads of constant memory wait as those of shared memory do, not for device memory") {
  auto trace = sample();
  trace.launches[0].lines[0].space = "constant";
  const auto lines = loading_lines(trace);
  CHECK(lines.at(0).shared);
  CHECK_FALSE(lines.at(0).global);
}

TEST_CASE("the blocks of the first wave wait for device memory together, later ones find the sectors in L2") {
  auto trace = sample();
  trace.launches[0].memory[0].bytes = 32 * 80;  // each of the ten blocks loads the same eight sectors
  trace.launches[0].memory[0].loaded_sectors = 8;
  const auto d = demand(trace, counted(10));  // 1000 blocks run at the same time
  CHECK(d.round_latency_share == Approx(1));
  CHECK(d.dram_latency_share == Approx(1));
  trace.launches[0].grid[0] = 100 * 132 * 32;  // a hundred waves
  CHECK(demand(trace, counted(10)).dram_latency_share < 0.03);
}

TEST_CASE("loads that the compiler leaves out are no work of shared memory or L1") {
  auto trace = sample();
  trace.launches[0].lines[0].lanes = 640;
  auto profile = counted(10);
  profile.loads[{"k.cu", 3}] = 640;
  CHECK(demand(trace, profile).l1_requests == Approx(2 * blocks));
  profile.loads[{"k.cu", 3}] = 160;  // of the four loads of the source one remains
  CHECK(demand(trace, profile).l1_requests == Approx(0.5 * blocks));
  profile.loads[{"k.cu", 3}] = 4 * 640;  // g++ loads the members of a vector
  CHECK(demand(trace, profile).l1_requests == Approx(2 * blocks));
}

TEST_CASE("a store is scattered if its lanes are in more than nine lines of a cache") {
  auto trace = sample();
  auto& line = trace.launches[0].lines[0];
  line.op = "store", line.sectors = 20 * 32, line.sectors_ideal = 20 * 4, line.cache_lines = 20 * 9;
  const auto beside = demand(trace, counted(10));
  CHECK(beside.scattered_sectors == 0);
  CHECK(beside.l2_sectors == Approx(2 * 64 * blocks));  // L2 works twice for a sector of which a part is written
  line.cache_lines = 20 * 32;
  CHECK(demand(trace, counted(10)).scattered_sectors == Approx(64 * blocks));
}

TEST_CASE("lanes that skip the accesses do not make code slower that all lanes run") {
  auto trace = sample();
  trace.launches[0].lanes = 20;  // one of 32 lanes loads
  auto profile = counted(10);
  profile.instructions = 6 * profile.threads;
  profile.unconditional = 5 * profile.threads;
  CHECK(demand(trace, profile).instructions == Approx((5 + 32) * 2 * blocks));
}

TEST_CASE("a block with more shared memory than a GPU has gets no time there") {
  auto trace = sample();
  trace.launches[0].shared_bytes = 200 << 10;
  CHECK(demands_of(trace, {counted(10)}, find_gpu("h200")).problem.empty());
  const auto there = demands_of(trace, {counted(10)}, find_gpu("rtx4090"));
  CHECK(there.launches.empty());
  CHECK(there.problem.find("200 KB of shared memory, and this GPU has 99") != std::string::npos);
}

TEST_CASE("tensor cores and copy engines get no time") {
  auto products = sample(), boxes = sample();
  products.launches[0].matrix_products = 1;
  CHECK(why_no_time(products).find("tensor cores") != std::string::npos);
  boxes.launches[0].box_bytes = 128;
  CHECK(why_no_time(boxes).find("copy engine") != std::string::npos);
}

TEST_CASE("launches that get no time are known without their instructions, and without blocks of the later ones") {
  auto trace = sample();
  CHECK(why_no_time(trace).empty());
  trace.launches.push_back(trace.launches[0]);
  trace.launches[1].concurrent = 2, trace.launches[1].blocks_run = 0;
  CHECK(why_no_time(trace).find("several streams") != std::string::npos);
  CHECK(demands_of(trace, {}, find_gpu("h200")).problem == why_no_time(trace));
}
