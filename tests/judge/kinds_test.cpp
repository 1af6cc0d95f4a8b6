#include <numeric>

#include "bench/bench.hpp"
#include "catch.hpp"
#include "fixtures/twice_lab.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

namespace {

lab::entry only(lab::launcher_spec c) { return {"92_other", {.launchers = {std::move(c)}}}; }

lab::entry dot_lab() {
  return only(lab::launcher<void(const float*, const float*, float*, int)>{
      .name = "dot",
      .parameters = {"a", "b", "out", "n"},
      .axes = {"n"},
      .make =
          [](const lab::problem_size& s, lab::random& r) {
            return std::tuple{r.values({s[0]}), r.values({s[0]}), lab::output<float>({1}), s[0]};
          },
      .reference = [](std::span<const float> a, std::span<const float> b, std::span<float> out,
                      int) { out[0] = static_cast<float>(std::inner_product(a.begin(), a.end(), b.begin(), 0.0)); },
      .check_sizes = {{1000}},
      .allow = {.accumulated = 4},
  });
}

lab::entry increment_lab() {
  return only(lab::launcher<void(int*, int)>{
      .name = "increment",
      .parameters = {"values", "n"},
      .axes = {"n"},
      .make =
          [](const lab::problem_size& s, lab::random& r) {
            return std::tuple{r.integers<int>({s[0]}, 0, 9), s[0]};
          },
      .reference =
          [](std::span<int> values, int) {
            for (int& v : values) ++v;
          },
      .check_sizes = {{1000}},
      .time_sizes = {{1000}},
  });
}

}  // namespace

TEST_CASE("floating-point cases come with lattice and with real inputs, and a right kernel passes both") {
  const auto r = check(dot_lab(), kernel("dot"), {});
  INFO(failure_of(r).message);
  REQUIRE(r.cases.size() == 2);
  CHECK(r.cases[0].name() == "1000 lattice");
  CHECK(r.cases[1].name() == "1000 real");
  CHECK(r.verdict == verdict_kind::pass);
}

TEST_CASE("too low a precision passes on small whole numbers and fails on real ones") {
  check_options options;
  options.seed = 11;  // with one in some hundred seeds, the rounding errors cancel
  const auto r = check(dot_lab(), kernel("dot_in_low_precision"), options);
  REQUIRE(r.cases.size() == 2);
  CHECK(r.cases[0].verdict == verdict_kind::pass);
  CHECK(r.cases[1].verdict == verdict_kind::wrong_answer);
}

TEST_CASE("a launcher on host pointers is called with host memory") {
  auto lab = twice_lab();
  lab.definition.launchers[0].memory = lab::memory_space::host;
  const auto r = check(lab, kernel("host_side"), {});
  INFO(failure_of(r).message);
  CHECK(r.verdict == verdict_kind::pass);
  CHECK(check(lab, kernel("echo"), {}).verdict != verdict_kind::pass);
}

TEST_CASE("an array that is input and output is compared with what becomes of its input") {
  const auto r = check(increment_lab(), kernel("in_place"), {});
  INFO(failure_of(r).message);
  CHECK(r.verdict == verdict_kind::pass);
  bench_options o;
  o.repeats = 3;
  CHECK(bench(increment_lab(), kernel("in_place"), o).rows.at(0).verdict == verdict_kind::pass);
}

TEST_CASE("every launcher of a lab is judged") {
  auto lab = twice_lab();
  lab.definition.launchers.push_back(increment_lab().definition.launchers[0]);
  const auto r = check(lab, kernel("right"), {});
  CHECK(r.cases.size() == 6);
  CHECK(failure_of(r).launcher == "increment");
  CHECK(r.verdict == verdict_kind::compile_error);
}
