#include "trace/coverage.hpp"

#include "catch.hpp"

using namespace lab::judge;

namespace {

trace_report ran(const std::string& kernel, std::vector<place_in_source> places) {
  return {{{.kernel = kernel, .executed = std::move(places)}}, {}};
}

const place_in_source load{"kernel.cu", 31, "load", "global", false};
const place_in_source load_again{"kernel.cu", 31, "load", "global", true};
const place_in_source barrier{"kernel.cu", 35, "barrier", "", false};

}  // namespace

TEST_CASE("what a run executed beyond the traced runs is missing") {
  coverage known;
  known.add(ran("k", {load}));
  CHECK(known.places() == 1);
  CHECK(known.missing(ran("k", {load})).empty());
  const auto missing = known.missing(ran("k", {load, barrier}));
  REQUIRE(missing.size() == 1);
  CHECK(missing[0] == executed_place{"k", "kernel.cu", 35, "barrier", "", false});
}

TEST_CASE("the second iteration of a loop is a place of its own, and so is a line in another kernel") {
  coverage known;
  known.add(ran("k", {load}));
  CHECK(known.missing(ran("k", {load_again})).size() == 1);
  CHECK(known.missing(ran("other", {load})).size() == 1);
  known.add(ran("k", {load_again}));
  CHECK(known.places() == 2);
  CHECK(known.missing(ran("k", {load})).empty());
}

TEST_CASE("lines that were not traced are named as ranges, file by file") {
  std::vector<executed_place> places;
  for (const int line : {40, 31, 33, 32, 32}) places.push_back({"k", "kernel.cu", line, "load", "global", false});
  CHECK(lines_of(places) == "kernel.cu:31-33, 40");
  places.push_back({"k", "tile.cuh", 7, "barrier", "", true});
  CHECK(lines_of(places) == "kernel.cu:31-33, 40; tile.cuh:7");
  CHECK(lines_of({}) == "");
}
