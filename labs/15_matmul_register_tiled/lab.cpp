#include "families/matmul.hpp"

namespace {

auto launcher() {
  auto large = families::matmul();
  large.gates = {
      {.metric = lab::traffic::load_sectors,
       .at = {128, 256, 64},
       .limit = 7000,  // tiles of 64 x 64 move 8192 sectors, of 128 x 256 6144
       .why = "A block must own more of `c` than 64 x 64 elements: 128 x 128 or more keep the multiply-add units busy.",
       .costs = 2.25}};
  return large;
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Matrix product with register tiles, vectors and two buffers",
        .idea = "128 results a thread, 16 bytes a load, and the next tiles on their way meanwhile",
        .launchers = {launcher()},
        .baseline = "13_matmul_work_per_thread",
    }};

}  // namespace
