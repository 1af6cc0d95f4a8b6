#include "bench/bench.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "fixtures/twice_lab.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

namespace {

// LAB_ROOT is read once, on first use, so it must be set before any test.
const int chosen = setenv("LAB_ROOT", TEST_ROOT, 1);
const lab::registration base{"91_base", twice_lab().definition};

bench_result timed(const std::string& name, std::vector<lab::problem_size> sizes = {}) {
  bench_options options;
  options.simulator_time = true;
  options.repeats = 3;
  options.sizes = std::move(sizes);
  return bench(twice_lab(), kernel(name), options);
}

}  // namespace

TEST_CASE("a right kernel gets times, rates and CPU times") {
  const auto result = timed("right");
  REQUIRE(result.rows.size() == 2);
  CHECK(result.rows[0].size == "5000");
  CHECK(result.rows[0].cold.count == 0);
  const auto& row = result.rows[1];
  CHECK(row.verdict == verdict_kind::pass);
  CHECK(row.counted.empty());
  CHECK(row.size == "100000");
  CHECK(row.cold.count == 3);
  CHECK(row.cold.median > 0);
  CHECK(row.with_copies.median > 0);
  CHECK(row.cpu_one_thread_ms > 0);
  CHECK(row.cpu_all_threads_ms == 0);
  CHECK(std::abs(row.gbytes_per_s * row.cold.median - 0.8) < 1e-6);  // 8 bytes for each of 100,000 elements
  CHECK(result.device["ceiling_gbytes_per_s"] > 0.0);
  CHECK(to_json(result)["results"][1]["kernel_ms"]["samples"] == 3);
}

TEST_CASE("on the simulator a kernel gets counts, and times only on request") {
  bench_options options;
  const auto result = bench(twice_lab(), kernel("right"), options);
  REQUIRE(result.rows.size() == 1);
  const auto& row = result.rows[0];
  CHECK(row.verdict == verdict_kind::pass);
  CHECK(row.size == "5000");
  CHECK(row.cold.count == 0);
  const auto document = to_json(result);
  CHECK(document["schema"] == 2);
  CHECK_FALSE(document["results"][0].contains("kernel_ms"));
  CHECK_FALSE(document["device"].contains("ceiling_gbytes_per_s"));
  const auto& counts = document["results"][0]["counts"];
  CHECK(counts["load_sectors"] == 625);  // 5000 ints of 4 bytes in sectors of 32
  CHECK(counts["store_sectors"] == 625);
  CHECK(counts["load_sectors_ideal"] == 625);
  CHECK(counts["launches"] == 1);
}

TEST_CASE("a size that is both counted and timed has one row") {
  const auto result = timed("right", {{1000}});
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].counted.size() == 1);
  CHECK(result.rows[0].cold.count == 3);
}

TEST_CASE("a wrong kernel gets a verdict instead of times") {
  const auto result = timed("echo", {{1000}});
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].verdict == verdict_kind::wrong_answer);
  CHECK(contains(result.rows[0].message, "out[0]"));
  CHECK(result.rows[0].cold.count == 0);
  CHECK_FALSE(to_json(result)["results"][0].contains("kernel_ms"));
}

TEST_CASE("a kernel that is right when checked and wrong when timed gets no times") {
  const auto result = timed("right_at_first", {{1000}});
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].verdict == verdict_kind::nondeterministic);
}

TEST_CASE("a kernel that does not compile gets one row that says so") {
  const auto result = timed("syntax_error");
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0].verdict == verdict_kind::compile_error);
}

TEST_CASE("a size that is too large for the simulator is skipped unless requested") {
  auto lab = twice_lab();
  lab.definition.launchers[0].time_sizes = {{5000}};
  lab.definition.launchers[0].cost = [](const lab::problem_size&) { return lab::problem_cost{.bytes = 1e9}; };
  bench_options options;
  options.simulator_time = true;
  options.repeats = 1;
  lab.definition.launchers[0].check_sizes = {{255}};
  CHECK(bench(lab, kernel("right"), options).rows.at(1).verdict == verdict_kind::skipped);
  options.sizes = {{5000}};
  CHECK(bench(lab, kernel("right"), options).rows.at(0).verdict == verdict_kind::pass);
}

TEST_CASE("a baseline and right peers are timed beside the kernel; a wrong peer only if it is unjudged") {
  REQUIRE(chosen == 0);
  auto lab = twice_lab();
  lab.definition.baseline = "91_base";
  bench_options options;
  options.repeats = 5;
  options.peers = true;
  options.simulator_time = true;
  options.sizes = {{5000}};
  const auto row = bench(lab, kernel("right"), options).rows.at(0);
  REQUIRE(row.verdict == verdict_kind::pass);
  REQUIRE(row.peers.size() == 3);
  CHECK(row.peers[0].name == "91_base");
  CHECK(row.peers[1].name == "by_shift");
  CHECK(row.peers[2].name == "copy");
  for (const auto& peer : row.peers) {
    CHECK(peer.ms > 0);
    CHECK(peer.ratio.median > 0);
  }
  REQUIRE(row.counted.size() == 3);  // the copy launches no kernel
  CHECK(row.counted[1].name == "91_base");
  CHECK(row.step_before == "91_base");
  const auto peers = to_json(bench(lab, kernel("right"), options))["results"][0]["peers"];
  REQUIRE(peers.size() == 3);
  for (const auto& peer : peers) {
    CHECK(peer["ratio"] > 0);
    if (peer["name"] == "copy")
      CHECK_FALSE(peer.contains("counts"));
    else
      CHECK(peer["counts"]["store_sectors"] >= 625);
  }
}
