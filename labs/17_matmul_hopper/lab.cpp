#include "families/matmul_bf16.hpp"

namespace {

auto launcher() {
  auto persistent = families::matmul_bf16();
  persistent.gates = {
      {.metric = lab::traffic::threads,
       .at = {128, 64, 256},
       .limit = 384,
       .why = "A block computes one tile of 128 x 256 after the other. More blocks than tiles find none.",
       .costs = 1.02,
       .costs_at = {1024, 1024, 1024}}};
  return persistent;
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "Matrix product by asynchronous copies and products",
                                       .idea = "one warpgroup keeps the copy engine busy, two others the tensor cores",
                                       .launchers = {launcher()},
                                       .baseline = "16_matmul_tensor_cores",
                                       .least_capability = 90,
                                   }};

}  // namespace
