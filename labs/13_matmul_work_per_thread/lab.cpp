#include "families/matmul.hpp"

namespace {

auto launcher() {
  auto several = families::matmul();
  constexpr int side = 128;
  several.gates = {
      {.metric = lab::traffic::load_sectors,
       .at = {side, side, side},
       .limit = 1.25 * 8192,  // the traffic of tiles of 64 x 64, with room for other shapes
       .why = "A block must own more of `c` than 32 x 32 elements, so that each loaded element serves more products.",
       .costs = 1.87,
       .costs_at = {1024, 1024, 1024}},
      {.metric = lab::traffic::shared_wavefronts,
       .at = {side, side, side},
       .limit = 2 * 34'816,  // twice those of the solution
       .why = "Each thread must compute several elements of `c` from the factors that it holds in registers.",
       .costs = 1.87,
       .costs_at = {1024, 1024, 1024}}};
  return several;
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Matrix product with several outputs a thread",
        .idea = "what a thread holds in registers it need not read from shared memory again",
        .launchers = {launcher()},
        .baseline = "07_matmul_tiled",
    }};

}  // namespace
