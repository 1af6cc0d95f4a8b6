#include "bench/verify/verify.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "fixtures/twice_lab.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

// The simulator's runner stands in for a GPU's: its times mean nothing, but it takes the same way.

namespace {

verified_row row_with(double first_ms, double second_ms) {
  verified_row row{.lab = "90_twice", .launcher = "twice", .size = "8"};
  row.first = {first_ms, first_ms, first_ms, 3};
  row.second = {second_ms, second_ms, second_ms, 7};
  return row;
}

verification verified(const std::string& name) {
  bench_options options;
  options.simulator_time = true;
  options.repeats = 3;
  options.seed = 5;
  verification result;
  verify_times(twice_lab(), kernel(name), options, result);
  return result;
}

}  // namespace

TEST_CASE("only a time of 20 us or more is judged, and it differs beyond 3 percent") {
  CHECK_FALSE(row_with(0.1, 0.102).differs());
  CHECK_FALSE(row_with(0.1, 0.098).differs());
  CHECK(row_with(0.1, 0.104).differs());
  CHECK(row_with(0.1, 0.096).differs());
  CHECK_FALSE(row_with(0.019, 0.03).judged());
  CHECK_FALSE(row_with(0.019, 0.03).differs());
  auto failed = row_with(0.1, 0.2);
  failed.verdict = verdict_kind::wrong_answer;
  CHECK_FALSE(failed.differs());
}

TEST_CASE("calls that differ by more than 15 percent say nothing to 3 percent") {
  auto copies = row_with(1.9, 1.8);
  CHECK((copies.differs() && !copies.varies()));
  copies.first.min = 1.6;
  copies.first.p95 = 2.1;
  CHECK((copies.judged() && copies.varies() && !copies.differs()));
  copies.first.min = 1.85;
  CHECK(copies.differs());
  auto short_one = row_with(0.01, 0.01);
  short_one.first.p95 = 1;
  CHECK_FALSE(short_one.varies());
}

TEST_CASE("both clocks time the kernel, and the row says why Nsight Compute was not the second") {
  const auto result = verified("right");
  REQUIRE(result.rows.size() == 1);
  const auto& row = result.rows[0];
  INFO(row.message);
  CHECK(row.verdict == verdict_kind::pass);
  CHECK(row.first.count == 3);
  CHECK(row.second.count == 7);
  CHECK(row.clock == second_clock::loop);
  CHECK_FALSE(row.why_no_ncu.empty());
  const auto document = to_json(result)["results"][0];
  CHECK(document["second_clock"] == "loop");
  CHECK(document["head_start"] == false);
}

TEST_CASE("a kernel that is wrong or does not compile has no times") {
  const auto wrong = verified("no_guard");
  REQUIRE(wrong.rows.size() == 1);
  CHECK(wrong.rows[0].verdict == verdict_kind::out_of_bounds);
  CHECK_FALSE(to_json(wrong)["results"][0].contains("first_ms"));
  CHECK(verified("syntax_error").rows.at(0).verdict == verdict_kind::compile_error);
}
