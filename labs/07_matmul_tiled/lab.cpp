#include "families/matmul.hpp"

namespace {

auto launcher() {
  auto tiled = families::matmul();
  constexpr int side = 64;
  // For 32 elements of c, the naive kernel loads in each of its steps one element of a and 32 neighbours in b.
  constexpr double naive = 1.0 * side * side / 32 * side * (1 + 4);
  tiled.gates = {
      {.metric = lab::traffic::threads,
       .at = {side, side, side},
       .limit = 2 * side * side,
       .why = "One thread for each element of `c` is enough: divide its rows and columns by those of a tile.",
       .costs = 28.3,
       .costs_at = {1024, 1024, 1024}},
      {.metric = lab::traffic::load_sectors,
       .at = {side, side, side},
       .limit = naive / 16,
       .why = "That is more than a sixteenth of the naive kernel's traffic: stage both tiles in shared memory, "
              "one element a thread, and take all products from there.",
       .costs = 2.05,
       .costs_at = {1024, 1024, 1024}},
      {.metric = lab::traffic::shared_wavefronts,
       .at = {side, side, side},
       .limit = 2 * 16'896,  // twice those of the solution
       .why = "The 32 elements of a tile that a warp reads in one step must be one element or lie in 32 banks.",
       .costs = 5.34,
       .costs_at = {1024, 1024, 1024}}};
  return tiled;
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Matrix product by tiles",
        .idea = "a block stages tiles of both matrices in shared memory and uses each 32 times",
        .launchers = {launcher()},
        .baseline = "05_matmul_naive",
    }};

}  // namespace
