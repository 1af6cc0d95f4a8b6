#include "families/matmul.hpp"

namespace {

constexpr int side = 128;  // of the matrices at which stages 1 and 2 are counted
// Warps of the solution: of 4 blocks, 8 rounds, 8 warps in a block; each loads one vector of a and one of b a round.
constexpr double requests = 4.0 * 8 * 8 * 2;

lab::gate loads_of_four() {
  return {.metric = lab::traffic::load_requests,
          .at = {side, side, side},
          .limit = 1.5 * requests,  // the encore copies `a` in pieces of 4 bytes, to transpose it on the way
          .why = "Where rows have a multiple of four elements, a thread must load four neighbours as one float4.",
          .costs = 1.2,
          .costs_at = {4096, 4096, 4096}};
}

auto vectors() {
  auto sixteen_bytes = families::matmul();
  sixteen_bytes.name = "matmul_vectors";
  sixteen_bytes.gates = {
      {.metric = lab::traffic::shared_requests,
       .at = {side, side, side},
       .limit = 1.5 * 16 * requests,
       .why = "A thread must read its four factors of `a`, and those of `b`, as one float4 each: two instructions, "
              "not eight.",
       .costs = 0.96,
       .costs_at = {4096, 4096, 4096}},  // nvcc merges four reads of neighbours on its own
      loads_of_four()};
  return sixteen_bytes;
}

auto double_buffered() {
  auto two_pairs = families::matmul();
  two_pairs.name = "matmul_double_buffered";
  two_pairs.improves_on = "matmul_vectors";
  constexpr int blocks = 4, rounds = side / 16;
  two_pairs.gates = {
      {.metric = lab::traffic::block_barriers,
       .at = {side, side, side},
       .limit = blocks * (rounds + 2),
       .why = "With two buffers one barrier a round is enough: no thread stores to the buffer that others read.",
       .costs = 1.07,
       .costs_at = {4096, 4096, 4096}},  // with one buffer; two buffers and a second barrier cost 1.02
      loads_of_four()};
  return two_pairs;
}

auto launcher() {
  auto large = families::matmul();
  large.count_at = {256, 256, 256};  // whole tiles of 128 x 256
  large.gates = {
      {.metric = lab::traffic::load_sectors,
       .at = {128, 256, 64},
       .limit = 7000,  // tiles of 64 x 64 move 8192 sectors, of 128 x 256 6144
       .why = "A block must own more of `c` than 64 x 64 elements: 128 x 128 or more keep the multiply-add units busy.",
       .costs = 2.25,
       .costs_at = {4096, 4096, 4096}}};
  return large;
}

const lab::registration registered{
    LAB_NAME,
    {
        .title = "Matrix product with register tiles, vectors and two buffers",
        .idea = "128 results a thread, 16 bytes a load, and the next tiles on their way meanwhile",
        .launchers = {vectors(), double_buffered(), launcher()},
        .stages = {{"vectors", {"matmul_vectors"}},
                   {"two buffers", {"matmul_double_buffered"}},
                   {"128 results a thread", {"matmul"}}},
        .baseline = "13_matmul_work_per_thread",
    }};

}  // namespace
