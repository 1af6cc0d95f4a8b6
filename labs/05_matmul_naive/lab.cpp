#include "families/matmul.hpp"

namespace {

auto launcher() {
  auto naive = families::matmul();
  naive.improves_on = "matmul_uncoalesced";
  constexpr int side = 64;
  const std::string neighbours =
      "The lanes of a warp must own neighbouring elements of a row of `c`: threadIdx.x belongs to the column.";
  naive.gates = {
      {.metric = lab::traffic::load_sectors_per_request,
       .at = {side, side, side},
       .limit = 4,
       .why = neighbours,
       .costs = 13,
       .costs_at = {1024, 1024, 1024}},
      {.metric = lab::traffic::store_sectors_per_request,
       .at = {side, side, side},
       .limit = 4,
       .why = neighbours,
       .costs = 13,
       .costs_at = {1024, 1024, 1024}},
      {.metric = lab::traffic::threads,
       .at = {side, side, side},
       .limit = 2 * side * side,
       .why = "One thread for each element of `c` is enough: divide its rows and columns by those of a block.",
       .costs = 1.07,
       .costs_at = {1024, 1024, 1024}}};
  return naive;
}

// The mapping of stage 1 is right and slow, so only its results are checked.
auto uncoalesced() {
  auto by_rows = families::matmul();
  by_rows.name = "matmul_uncoalesced";
  by_rows.check_sizes.push_back(
      {64, 64, 64});  // profile and predict choose it: with m = 1 the loads of `a` look coalesced
  by_rows.time_sizes = {{256, 512, 256}, {2000, 1000, 5000}};
  return by_rows;
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Matrix product, one thread an element",
        .idea = "each thread reads a whole row and a whole column, which its neighbours read too",
        .launchers = {uncoalesced(), launcher()},
        .stages = {{"a right kernel", {"matmul_uncoalesced"}}, {"coalesced accesses", {"matmul"}}},
    }};

}  // namespace
