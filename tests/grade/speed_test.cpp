#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "grade/job/graded_kernels.hpp"
#include "grade/job/graded_speed.hpp"

using namespace lab;
using namespace lab::grade;

namespace {

const speed_rule rule{.launcher = "", .size = {1000}, .points = 8, .zero_at = 0.5, .full_at = 0.9};

speed_row rated(const measured_times& measured) {
  std::vector<std::string> flags;
  return rate(rule, measured, flags);
}

}  // namespace

TEST_CASE("points for speed grow linearly with the ratio to the solution") {
  CHECK(rated({.student = 20, .solution = 10}).points == 0);
  CHECK(rated({.student = 10, .solution = 7}).points == Approx(4));
  CHECK(rated({.student = 10, .solution = 9}).points == Approx(8));
  CHECK(rated({.student = 1, .solution = 9}).points == 8);
}

TEST_CASE("the overhead of a call is subtracted from both times") {
  const auto timed = rated({.student = 11, .solution = 6, .overhead = 1});
  CHECK(timed.ms == Approx(10));
  CHECK(timed.solution_ms == Approx(5));
  CHECK(timed.ratio == Approx(0.5));
}

TEST_CASE("a time below the hardware's limit is flagged and counts as the limit") {
  std::vector<std::string> flags;
  const auto timed = rate(rule, {.student = 0.001, .solution = 10, .floor = 4}, flags);
  CHECK(timed.ms == 4);
  CHECK(timed.ratio == Approx(2.5));
  REQUIRE(flags.size() == 1);
  CHECK(flags[0] == "faster than the hardware at 1000");
}

TEST_CASE("a time that is mostly overhead is flagged and earns nothing") {
  std::vector<std::string> flags;
  const auto timed = rate(rule, {.student = 1.1, .solution = 1.4, .overhead = 1}, flags);
  CHECK(flags == std::vector<std::string>{"too short to time at 1000: no points for speed"});
  CHECK(timed.ratio > 1);
  CHECK(timed.too_short);
  CHECK(timed.points == 0);
  CHECK(timed.max_points == 8);
  CHECK_FALSE(rated({.student = 2.1, .solution = 2.1, .overhead = 1}).too_short);
}

TEST_CASE("a row names its clock, also after it is read back from the log") {
  const auto by_kernel = rated({.student = 2, .solution = 1, .clock = speed_clock::kernel});
  CHECK(by_kernel.clock == "kernel");
  CHECK(rated({.student = 2, .solution = 1}).clock == "host");
  row graded{.key = "k", .student = "ada", .lab = "04"};
  graded.speed = {by_kernel};
  const auto back = row_from(to_json(graded));
  REQUIRE(back.speed.size() == 1);
  CHECK(back.speed[0].clock == "kernel");
  CHECK_FALSE(back.speed[0].too_short);
  CHECK(back.speed[0].ratio == Approx(0.5));
}

TEST_CASE("kernel times count; without them the whole launcher is timed, and a flag gives the reason") {
  std::vector<std::string> flags;
  CHECK(fallback_after({.times = measured_times{.student = 1, .solution = 1}}, "1000", flags) == timing_fallback::none);
  CHECK(flags.empty());
  CHECK(fallback_after({.why_not = "it calls cudaGraphLaunch"}, "1000", flags) == timing_fallback::launchers);
  CHECK(flags == std::vector<std::string>{"timed with its host code at 1000: it calls cudaGraphLaunch"});
}

TEST_CASE("a forged record earns no points, and its text is sanitized") {
  std::vector<std::string> flags;
  const std::string words = "\x1b[31mred\n=HYPERLINK" + std::string(5000, 'x');
  CHECK(fallback_after({.why_not = words, .forged = true}, "1000", flags) == timing_fallback::no_points);
  REQUIRE(flags.size() == 1);
  CHECK(flags[0].starts_with("protocol_violation at 1000 while it was timed: "));
  CHECK(flags[0].size() < 400);
  CHECK(flags[0].find_first_of("\x1b\n") == std::string::npos);
}
