#include "families/matmul.hpp"

namespace {

auto launcher() {
  auto tiled = families::matmul();
  constexpr int side = 64;
  // For 32 elements of c, the naive kernel loads in each of its steps one element of a and 32 neighbours in b.
  constexpr double naive = 1.0 * side * side / 32 * side * (1 + 4);
  tiled.gates = {
      {.metric = lab::traffic::load_sectors,
       .at = {side, side, side},
       .limit = naive / 16,
       .why =
           "That is more than a sixteenth of the naive kernel's traffic: stage both tiles in shared memory, "
           "one element a thread, and take all products from there."}};
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
