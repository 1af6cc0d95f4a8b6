#include "families/matmul_bf16.hpp"

namespace {

auto launcher() {
  auto persistent = families::matmul_bf16();
  // The largest size is another one here: more tiles than multiprocessors, and each takes more steps than a ring of
  // four stages has.
  persistent.check_sizes.back() = {1, 264, 33800};
  persistent.gates = {
      {.metric = lab::traffic::load_requests,
       .at = {128, 64, 256},
       .limit = 16,  // TMA needs none; threads that copy the tiles, 16 bytes each, need 96
       .why =
           "The copy engine (TMA) brings the tiles into shared memory. Threads that copy them themselves are slower.",
       .costs = 13.95,
       .costs_at = {4096, 4096, 4096}},
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
