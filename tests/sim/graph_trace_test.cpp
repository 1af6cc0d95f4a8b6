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
