// Questions about a graph's edges, a picture of it, other parameters of its nodes, copies to arrays in a stream.
// prints: 3 edges: 0-2 1-2 2-3, of node 2 before: 0 1, after: 3
// prints: digraph graph_of_cuda { n0 [label="0 fill"]; n1 [label="1 copy"]; n2 [label="2 kernel"]; n3 [label="3 host function"]; n0 -> n2; n1 -> n2; n2 -> n3; }
// prints: first 12 12 12, then 209 209 209
// prints: a copy for a kernel: cudaErrorInvalidValue
// prints: array 1 2 3 4 5 6
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

__global__ void add(int* to, const int* from) { to[threadIdx.x] += from[threadIdx.x]; }

struct values {
  int* numbers;
  int factor;
};
void scale(void* p) {
  auto* const v = static_cast<values*>(p);
  for (int i = 0; i < 3; ++i) v->numbers[i] *= v->factor;
}

size_t index_of(const cudaGraphNode_t* all, cudaGraphNode_t node) {
  size_t i = 0;
  while (all[i] != node) ++i;
  return i;
}

void print_edges(cudaGraph_t graph, cudaGraphNode_t middle) {
  cudaGraphNode_t all[4], from[8], to[8];
  size_t nodes = 4, edges = 0, before = 8, after = 8;
  cudaGraphGetNodes(graph, all, &nodes);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  std::printf("%zu edges:", edges);
  cudaGraphGetEdges(graph, from, to, nullptr, &edges);
  for (size_t i = 0; i < edges; ++i) std::printf(" %zu-%zu", index_of(all, from[i]), index_of(all, to[i]));
  cudaGraphNodeGetDependencies(middle, from, nullptr, &before);
  cudaGraphNodeGetDependentNodes(middle, to, nullptr, &after);
  std::printf(", of node 2 before:");
  for (size_t i = 0; i < before; ++i) std::printf(" %zu", index_of(all, from[i]));
  std::printf(", after:");
  for (size_t i = 0; i < after; ++i) std::printf(" %zu", index_of(all, to[i]));
  std::printf("\n");
}

void print_picture(cudaGraph_t graph) {
  char name[] = "/tmp/graph_edges_XXXXXX";
  std::string text;
  std::fclose(fdopen(mkstemp(name), "w"));
  cudaGraphDebugDotPrint(graph, name, cudaGraphDebugDotFlagsVerbose);
  std::FILE* const file = std::fopen(name, "r");
  for (char word[100]; std::fscanf(file, "%99s", word) == 1;) text += (text.empty() ? "" : " ") + std::string{word};
  std::fclose(file);
  std::remove(name);
  std::printf("%s\n", text.c_str());
}

void launch(cudaGraph_t graph, const int* numbers, const char* words) {
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, nullptr);
  cudaDeviceSynchronize();
  std::printf("%s %d %d %d", words, numbers[0], numbers[1], numbers[2]);
  cudaGraphExecDestroy(executable);
}

int main() {
  int *to, *from, five[] = {5, 5, 5}, eight[] = {8, 8, 8};
  cudaMallocManaged(&to, 12);
  cudaMalloc(&from, 12);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t fill, copy, kernel, host;
  cudaMemsetParams one = {to, 0, 1, 4, 3, 1};
  cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &one);
  cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, from, five, 12, cudaMemcpyHostToDevice);
  const cudaGraphNode_t both[] = {fill, copy};
  void* arguments[] = {&to, &from};
  const cudaKernelNodeParams adds = {(void*)add, dim3(1), dim3(3), 0, arguments, nullptr};
  cudaGraphAddKernelNode(&kernel, graph, both, 2, &adds);
  values twice{to, 2}, eleven{to, 11};
  const cudaHostNodeParams scales = {scale, &twice}, scales_more = {scale, &eleven};
  cudaGraphAddHostNode(&host, graph, &kernel, 1, &scales);
  print_edges(graph, kernel);
  print_picture(graph);
  launch(graph, to, "first");
  one.value = 11;
  cudaGraphMemsetNodeSetParams(fill, &one);
  cudaGraphMemcpyNodeSetParams1D(copy, from, eight, 12, cudaMemcpyHostToDevice);
  cudaGraphHostNodeSetParams(host, &scales_more);
  launch(graph, to, ", then");
  std::printf("\na copy for a kernel: %s\n",
              cudaGetErrorName(cudaGraphMemcpyNodeSetParams1D(kernel, from, eight, 12, cudaMemcpyHostToDevice)));

  cudaArray_t array;
  const auto format = cudaCreateChannelDesc<int>();
  cudaMallocArray(&array, &format, 3, 2);
  const int six[] = {1, 2, 3, 4, 5, 6};
  int back[6];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyToArrayAsync(array, 0, 0, six, sizeof six, cudaMemcpyHostToDevice, stream);
  cudaMemcpyFromArrayAsync(back, array, 0, 0, sizeof back, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::printf("array");
  for (const int b : back) std::printf(" %d", b);
  std::printf("\n");
}
