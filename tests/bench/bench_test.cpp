#include "bench/bench.hpp"

#include <cmath>
#include <cstdlib>

#include "catch.hpp"
#include "fixtures/twice.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

namespace {

// Where solutions lie is looked up once, on first use, so this must come before any test.
const int chosen = setenv("LAB_ROOT", TEST_ROOT, 1);
const lab::registration base{"91_base", twice_lab().definition};

bench_result timed(const std::string& name, std::vector<lab::problem_size> sizes = {}) {
  bench_options o;
  o.repeats = 3;
  o.sizes = std::move(sizes);
  return bench(twice_lab(), kernel(name), o);
}

}  // namespace

TEST_CASE("a right kernel gets times, rates and the CPU's times") {
  const auto r = timed("right");
  REQUIRE(r.rows.size() == 1);
  const auto& row = r.rows[0];
  CHECK(row.verdict == verdict_kind::pass);
  CHECK(row.size == "100000");
  CHECK(row.cold.count == 3);
  CHECK(row.cold.median > 0);
  CHECK(row.with_copies.median > 0);
  CHECK(row.cpu_one_thread_ms > 0);
  CHECK(row.cpu_all_threads_ms == 0);
  CHECK(std::abs(row.gbytes_per_s * row.cold.median - 0.8) < 1e-6);  // 8 bytes for each of 100,000 elements
  CHECK(r.device["ceiling_gbytes_per_s"] > 0.0);
  CHECK(to_json(r)["results"][0]["kernel_ms"]["samples"] == 3);
}

TEST_CASE("a wrong kernel gets a verdict instead of times") {
  const auto r = timed("echo");
  REQUIRE(r.rows.size() == 1);
  CHECK(r.rows[0].verdict == verdict_kind::wrong_answer);
  CHECK(contains(r.rows[0].message, "out[0]"));
  CHECK(r.rows[0].cold.count == 0);
  CHECK_FALSE(to_json(r)["results"][0].contains("kernel_ms"));
}

TEST_CASE("a kernel that is right when checked and wrong when timed gets no times") {
  const auto r = timed("right_at_first");
  REQUIRE(r.rows.size() == 1);
  CHECK(r.rows[0].verdict == verdict_kind::nondeterministic);
}

TEST_CASE("a kernel that does not compile gets one row that says so") {
  const auto r = timed("syntax_error");
  REQUIRE(r.rows.size() == 1);
  CHECK(r.rows[0].verdict == verdict_kind::compile_error);
}

TEST_CASE("a size that is too large for the simulator is skipped unless it is asked for") {
  auto lab = twice_lab();
  lab.definition.launchers[0].time_sizes = {{5000}};
  lab.definition.launchers[0].cost = [](const lab::problem_size&) { return lab::problem_cost{.bytes = 1e9}; };
  bench_options o;
  o.repeats = 1;
  CHECK(bench(lab, kernel("right"), o).rows.at(0).verdict == verdict_kind::skipped);
  o.sizes = {{5000}};
  CHECK(bench(lab, kernel("right"), o).rows.at(0).verdict == verdict_kind::pass);
}

TEST_CASE("a baseline and right peers are timed beside the kernel, a wrong peer is left out unless it says why") {
  REQUIRE(chosen == 0);
  auto lab = twice_lab();
  lab.definition.baseline = "91_base";
  bench_options o;
  o.repeats = 5;
  o.peers = true;
  const auto row = bench(lab, kernel("right"), o).rows.at(0);
  REQUIRE(row.verdict == verdict_kind::pass);
  REQUIRE(row.peers.size() == 3);
  CHECK(row.peers[0].name == "91_base");
  CHECK(row.peers[1].name == "by_shift");
  CHECK(row.peers[2].name == "copy");
  for (const auto& p : row.peers) {
    CHECK(p.ms > 0);
    CHECK(p.ratio.median > 0);
  }
}
