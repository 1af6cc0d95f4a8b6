#include "families/matmul_bf16.hpp"

namespace {

auto launcher() {
  auto padded = families::matmul_bf16();
  padded.gates = {{.metric = lab::traffic::bank_conflicts,
                   .at = {128, 64, 256},
                   .limit = 64,  // the solution has none, and without padding there are thousands
                   .why = "The eight rows that a fragment reads together must be in different banks: pad the rows.",
                   .costs = 3.19,
                   .costs_at = {4096, 4096, 4096}}};
  return padded;
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "Matrix product on tensor cores",
                                       .idea = "a warp multiplies fragments of 16 x 16 elements with one instruction",
                                       .launchers = {launcher()},
                                       .least_capability = 80,
                                   }};

}  // namespace
