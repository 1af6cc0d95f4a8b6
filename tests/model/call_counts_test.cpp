#include "model/call_counts.hpp"

#include "catch.hpp"

using namespace lab::judge;

namespace {

using groups = std::vector<std::vector<std::size_t>>;

launch launch_of(const std::string& kernel, std::uint64_t blocks, std::uint64_t requests_of_block) {
  launch one{.kernel = kernel, .grid = {1000, 1, 1}, .block = {64, 1, 1}};
  one.blocks_run = blocks, one.requests = blocks * requests_of_block, one.lanes = 32 * one.requests;
  return one;
}

}  // namespace

TEST_CASE("calls of different kernels share their counts") {
  CHECK(calls_that_share_counts(
            {{.launches = {launch_of("rows", 2, 4)}}, {.launches = {launch_of("columns", 2, 4)}}}) == groups{{0, 1}});
}

TEST_CASE("a kernel that several calls launch must do the same in each block") {
  const trace_report rows{.launches = {launch_of("rows", 2, 4)}}, columns{.launches = {launch_of("columns", 2, 4)}};
  const trace_report both{.launches = {launch_of("rows", 6, 4), launch_of("columns", 3, 4)}};
  const trace_report longer{.launches = {launch_of("rows", 2, 5)}};
  CHECK(calls_that_share_counts({rows, columns, both}) == groups{{0, 1, 2}});
  CHECK(calls_that_share_counts({rows, longer, columns, both}) == groups{{0, 2, 3}, {1}});
  CHECK(calls_that_share_counts({longer, both, columns}) == groups{{0, 2}, {1}});
}

TEST_CASE("blocks of other sizes, lanes or barriers are other work") {
  const trace_report before{.launches = {launch_of("k", 2, 4)}};
  auto smaller = before, fewer = before, waits = before;
  smaller.launches[0].block = {32, 2, 1};
  fewer.launches[0].lanes -= 1;
  waits.launches[0].block_barriers = 2;
  for (const auto& other : {smaller, fewer, waits}) CHECK(calls_that_share_counts({before, other}) == groups{{0}, {1}});
  auto twice = before;
  twice.launches.push_back(smaller.launches[0]);
  CHECK(calls_that_share_counts({twice, twice}) == groups{{0}, {1}});
}
