#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;
using nlohmann::json;

namespace {

// Threads and blocks of three dimensions, so that a coordinate in the wrong place shows.
const char* const somewhere = R"(
__device__ bool at(dim3 block, dim3 thread) {
  return blockIdx.x == block.x && blockIdx.y == block.y && blockIdx.z == block.z && threadIdx.x == thread.x &&
         threadIdx.y == thread.y && threadIdx.z == thread.z;
}
__global__ void in_shared(int* p) {
  __shared__ int s;
  if (at(dim3(1, 2, 1), dim3(1, 0, 0))) s = 1;
  if (at(dim3(1, 2, 1), dim3(3, 2, 1))) p[0] = s;
}
__global__ void within_warp(int* p) {
  __shared__ int s;
  if (at(dim3(2, 1, 0), dim3(6, 1, 1))) s = 1;
  if (at(dim3(2, 1, 0), dim3(7, 2, 1))) p[1] = s;
}
__global__ void between_blocks(int* p) {
  if (at(dim3(1, 1, 0), dim3(5, 3, 0))) p[2] = 1;
  if (at(dim3(0, 2, 1), dim3(2, 1, 1))) p[2] = 2;
}
__global__ void no_value(int* p) {
  if (at(dim3(2, 0, 1), dim3(4, 3, 1))) p[3] = p[4];
}
__global__ void barriers(int* p) {
  if (at(dim3(2, 1, 1), dim3(3, 2, 1))) {
    __syncthreads();
    p[5] = 1;
  } else {
    __syncthreads();
  }
}
__global__ void beyond(int* p) {
  if (at(dim3(0, 1, 1), dim3(6, 2, 0))) p[64] = 1;
}
int main() {
  int* p;
  cudaMalloc(&p, 64 * sizeof(int));
  const dim3 grid(3, 3, 2), block(8, 4, 2);
  in_shared<<<grid, block>>>(p);
  within_warp<<<grid, block>>>(p);
  between_blocks<<<grid, block>>>(p);
  no_value<<<grid, block>>>(p);
  WHICH;
  cudaDeviceSynchronize();
}
)";

json hazards_of(const std::string& program) {
  const folder scratch;
  return json::parse(traced(scratch.write("k.cu", program)))["hazards"];
}

json only(const json& hazards, const std::string& kernel) {
  json found;
  for (const auto& h : hazards)
    if (h["kernel"] == kernel) found.push_back(h);
  INFO(hazards.dump(1));
  REQUIRE(found.size() == 1);
  return found[0];
}

void check_place(const json& h, const json& block, const json& thread) {
  INFO(h.dump(1));
  CHECK(h["block"] == block);
  CHECK(h["thread"] == thread);
}

}  // namespace

TEST_CASE("a hazard names its block, its thread and the partner of a race, each by all its coordinates") {
  const auto all = hazards_of("#define WHICH beyond<<<grid, block>>>(p)\n" + std::string{somewhere});
  const auto says = [&](const std::string& kernel, const std::string& words) {
    return only(all, kernel)["message"].get<std::string>().find(words) != std::string::npos;
  };
  check_place(only(all, "in_shared"), {1, 2, 1}, {3, 2, 1});
  CHECK(says("in_shared", "this thread reads what thread (1, 0, 0) writes"));
  check_place(only(all, "within_warp"), {2, 1, 0}, {7, 2, 1});
  CHECK(says("within_warp", "this thread reads what thread (6, 1, 1) writes"));
  check_place(only(all, "between_blocks"), {0, 2, 1}, {2, 1, 1});
  CHECK(says("between_blocks", "this thread writes what block number 4 writes"));
  check_place(only(all, "no_value"), {2, 0, 1}, {4, 3, 1});
  check_place(only(all, "beyond"), {0, 1, 1}, {6, 2, 0});
}

TEST_CASE("a divergent barrier names the thread that waits elsewhere than the first of its block") {
  const auto all = hazards_of("#define WHICH barriers<<<grid, block>>>(p)\n" + std::string{somewhere});
  const auto h = only(all, "barriers");
  CHECK(h["kind"] == "divergent_barrier");
  check_place(h, {2, 1, 1}, {3, 2, 1});
}
