#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "run.hpp"

using namespace lab::test;

namespace {

// Two kernels in a graph; `edge` may order them.
std::string two_nodes(const std::string& edge) {
  return R"(__global__ void fill(int* d, int value) {
  d[threadIdx.x] = value;
}
__global__ void use(const int* d, int* out) {
  out[threadIdx.x] = d[63 - threadIdx.x];
}
int main() {
  int *d, *out, value = 1;
  cudaMalloc(&d, 256);
  cudaMalloc(&out, 256);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t first, second;
  void *of_fill[] = {&d, &value}, *of_use[] = {&d, &out};
  cudaKernelNodeParams work{(void*)fill, dim3(1), dim3(64), 0, of_fill, nullptr};
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &work);
  work.func = (void*)use;
  work.kernelParams = of_use;
  cudaGraphAddKernelNode(&second, graph, nullptr, 0, &work);
  )" + edge +
         R"(
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, 0);
  fill<<<1, 64>>>(d, 2);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
})";
}

nlohmann::json hazards(const std::string& source) {
  const folder f;
  return nlohmann::json::parse(traced(f.write("k.cu", source)))["hazards"];
}

}  // namespace

TEST_CASE("two nodes of a graph race unless an edge orders them") {
  const auto unordered = hazards(two_nodes(""));
  INFO(unordered.dump(1));
  REQUIRE(unordered.size() == 1);
  CHECK(unordered[0]["kind"] == "race");
  CHECK(std::min(unordered[0]["line"].get<int>(), unordered[0]["other_line"].get<int>()) == 2);
  CHECK(std::max(unordered[0]["line"].get<int>(), unordered[0]["other_line"].get<int>()) == 5);
  const auto ordered = hazards(two_nodes("cudaGraphAddDependencies(graph, &first, &second, 1);"));
  INFO(ordered.dump(1));
  CHECK(ordered.empty());
}

TEST_CASE("memory of a graph is without a value after each launch, and its end is ordered by edges") {
  const auto source = [](const std::string& fill, const std::string& last) {
    return R"(__global__ void fill(int* d) {
  d[threadIdx.x] = 1;
}
__global__ void use(const int* d, int* out) {
  out[threadIdx.x] = d[threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t make, filled, used, end;
  cudaMemAllocNodeParams memory{};
  memory.bytesize = 256;
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphAddMemAllocNode(&make, graph, nullptr, 0, &memory);
  void *of_fill[] = {&memory.dptr}, *of_use[] = {&memory.dptr, &out};
  cudaKernelNodeParams work{(void*)fill, dim3(1), dim3()" +
           fill + R"(), 0, of_fill, nullptr};
  cudaGraphAddKernelNode(&filled, graph, &make, 1, &work);
  work = {(void*)use, dim3(1), dim3(64), 0, of_use, nullptr};
  cudaGraphAddKernelNode(&used, graph, &filled, 1, &work);
  cudaGraphAddMemFreeNode(&end, graph, &)" +
           last + R"(, 1, memory.dptr);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaFree(out);
})";
  };
  const auto none = hazards(source("64", "used"));
  INFO(none.dump(1));
  CHECK(none.empty());
  const auto half = hazards(source("32", "used"));
  INFO(half.dump(1));
  REQUIRE(half.size() == 1);
  CHECK(half[0]["kind"] == "uninitialized_read");
  CHECK(half[0]["line"] == 5);
  const auto early = hazards(source("64", "filled"));
  INFO(early.dump(1));
  REQUIRE(early.size() == 1);
  CHECK(early[0]["kind"] == "race");
}
