#include "bench/timing.hpp"

#include <cmath>

#include "build/lab_builds.hpp"
#include "catch.hpp"
#include "fixtures/twice_lab.hpp"

using namespace lab;
using namespace lab::judge;

TEST_CASE("the summary of no samples is zero, not NaN") {
  const auto times = summary({});
  CHECK(times.count == 0);
  CHECK(times.median == 0);
  CHECK(times.p95 == 0);
}

TEST_CASE("one outlier changes neither median nor minimum") {
  const auto times = summary({3, 1, 2, 1000, 4});
  CHECK(times.median == 3);
  CHECK(times.min == 1);
  CHECK(times.p95 == 1000);
  CHECK(times.count == 5);
}

TEST_CASE("the median of an even number of samples is the mean of the middle two") {
  CHECK(summary({4, 1, 3, 2}).median == 2.5);
}

TEST_CASE("the ratio is the median over pairs, so drift of both sides cancels") {
  const auto ratio = ratios({1, 2, 4, 8}, {2, 4, 8, 24});
  CHECK(ratio.median == 2);
  CHECK(ratio.p95 == 3);
  CHECK(ratios({1, 1, 1}, {3, 3, 300}).median == 3);
  CHECK(ratios({0, 1}, {5, 3}).count == 1);
  CHECK(ratios({}, {}).median == 0);
}

TEST_CASE("no launcher pays for the one that was timed before it") {
  const auto lab = lab_test::twice_lab();
  const check_options options;
  const auto source = lab_test::kernel("pays_for_the_other").source;
  const auto one = build_for(lab, source, options);
  INFO(one.log);
  REQUIRE(one.verdict == verdict_kind::pass);
  const auto other = std::filesystem::temp_directory_path() / ("other" + std::to_string(getpid()) + ".so");
  std::filesystem::copy_file(one.library, other, std::filesystem::copy_options::overwrite_existing);
  session calls{options, {one.library, other}};
  const test_case test{lab.definition.launchers[0], {1000}, 7, inputs::real};
  const auto found = measure(calls, test, {.libraries = {0, 1}, .repeats = 3});
  std::filesystem::remove(other);
  CHECK(found.found.verdict == verdict_kind::pass);
  REQUIRE(found.milliseconds.size() == 2);
  for (const auto& times : found.milliseconds) CHECK(summary(times).min < 100);
}

TEST_CASE("a result that is no number gives JSON without NaN") {
  bench_row row{"02_x", "solution", "f", "1x1"};
  row.cold = {.median = std::nan(""), .count = 1};
  row.gbytes_per_s = std::nan("");
  row.of_ceiling = std::numeric_limits<double>::infinity();
  const auto text = to_json(bench_result{.rows = {row}}).dump();
  CHECK(text.find("null") == std::string::npos);
  CHECK(text.find("\"of_ceiling\":0.0") != std::string::npos);
}

TEST_CASE("a missing CPU program has time 0") { CHECK(time_on_cpu({}, {}) == 0); }
