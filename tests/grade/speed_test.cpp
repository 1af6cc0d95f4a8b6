#include "catch.hpp"
#include "grade/job/graded_kernels.hpp"
#include "grade/job/graded_speed.hpp"

using namespace lab;
using namespace lab::grade;

namespace {

const speed_rule rule{.launcher = "", .size = {1000}, .points = 8, .zero_at = 0.5, .full_at = 0.9};

speed_row rated(const times& t) {
  std::vector<std::string> flags;
  return rate(rule, t, flags);
}

}  // namespace

TEST_CASE("points for speed grow with the ratio to the solution, from none to all") {
  CHECK(rated({.student = 20, .solution = 10}).points == 0);
  CHECK(rated({.student = 10, .solution = 7}).points == Approx(4));
  CHECK(rated({.student = 10, .solution = 9}).points == Approx(8));
  CHECK(rated({.student = 1, .solution = 9}).points == 8);
}

TEST_CASE("what the pipeline takes by itself is taken off both") {
  const auto s = rated({.student = 11, .solution = 6, .nothing = 1});
  CHECK(s.ms == Approx(10));
  CHECK(s.solution_ms == Approx(5));
  CHECK(s.ratio == Approx(0.5));
}

TEST_CASE("faster than the hardware is flagged, and counts as the hardware's limit") {
  std::vector<std::string> flags;
  const auto s = rate(rule, {.student = 0.001, .solution = 10, .floor = 4}, flags);
  CHECK(s.ms == 4);
  CHECK(s.ratio == Approx(2.5));
  REQUIRE(flags.size() == 1);
  CHECK(flags[0] == "faster than the hardware at 1000");
}

TEST_CASE("a time that is mostly the pipeline's own is flagged, and earns nothing however good it looks") {
  std::vector<std::string> flags;
  const auto s = rate(rule, {.student = 1.1, .solution = 1.4, .nothing = 1}, flags);
  CHECK(flags == std::vector<std::string>{"too short to time at 1000: no points for speed"});
  CHECK(s.ratio > 1);
  CHECK(s.too_short);
  CHECK(s.points == 0);
  CHECK(s.max_points == 8);
  CHECK_FALSE(rated({.student = 2.1, .solution = 2.1, .nothing = 1}).too_short);
}

TEST_CASE("a row says which clock its times are from, also after it was kept in the log") {
  const auto by_kernel = rated({.student = 2, .solution = 1, .clock = speed_clock::kernel});
  CHECK(by_kernel.clock == "kernel");
  CHECK(rated({.student = 2, .solution = 1}).clock == "host");
  row r{.key = "k", .student = "ada", .lab = "04"};
  r.speed = {by_kernel};
  const auto back = row_from(to_json(r));
  REQUIRE(back.speed.size() == 1);
  CHECK(back.speed[0].clock == "kernel");
  CHECK_FALSE(back.speed[0].too_short);
  CHECK(back.speed[0].ratio == Approx(0.5));
}

TEST_CASE("what has kernel times is rated by them; what has none is timed whole, and flagged with the reason") {
  std::vector<std::string> flags;
  CHECK(after({.found = times{.student = 1, .solution = 1}}, "1000", flags) == fallback::none);
  CHECK(flags.empty());
  CHECK(after({.why_not = "it calls cudaGraphLaunch"}, "1000", flags) == fallback::launchers);
  CHECK(flags == std::vector<std::string>{"timed with its host code at 1000: it calls cudaGraphLaunch"});
}

TEST_CASE("a forged record earns no points, and its words are made harmless") {
  std::vector<std::string> flags;
  const std::string words = "\x1b[31mred\n=HYPERLINK" + std::string(5000, 'x');
  CHECK(after({.why_not = words, .forged = true}, "1000", flags) == fallback::no_points);
  REQUIRE(flags.size() == 1);
  CHECK(flags[0].starts_with("protocol_violation at 1000 while it was timed: "));
  CHECK(flags[0].size() < 400);
  CHECK(flags[0].find_first_of("\x1b\n") == std::string::npos);
}
