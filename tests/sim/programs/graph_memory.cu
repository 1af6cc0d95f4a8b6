// Graphs that allocate memory: nodes, captured calls, memory that outlives its graph.
// prints: node by node: 1 2 3 4, used 0, most 512
// prints: captured: 5 6 7 8, used 0
// prints: address known before: 1, parameters 16 bytes, same address 1 1
// prints: kept: used 16, again cudaErrorInvalidValue, freed by a graph: used 0, by cudaFree: used 0
// prints: freed by each launch: 3 3, used 16
// prints: trimmed: used 16, most 16 after a reset
// prints: errors: cudaErrorInvalidValue cudaErrorInvalidValue cudaErrorInvalidDevice cudaErrorNotSupported
// prints: by cudaGraphAddNode: 9
// prints: types: 10 0 11
#include <cstdio>

__global__ void count_from(int* p, int first) { p[threadIdx.x] = first + threadIdx.x; }

unsigned long long used(cudaGraphMemAttributeType what = cudaGraphMemAttrUsedMemCurrent) {
  unsigned long long bytes = 99;
  cudaDeviceGetGraphMemAttribute(0, what, &bytes);
  return bytes;
}

cudaMemAllocNodeParams memory(size_t bytes) {
  cudaMemAllocNodeParams what{};
  what.bytesize = bytes;
  what.poolProps.allocType = cudaMemAllocationTypePinned;
  what.poolProps.location.type = cudaMemLocationTypeDevice;
  return what;
}

cudaGraphExec_t executable(cudaGraph_t graph, unsigned long long flags = 0) {
  cudaGraphExec_t result;
  cudaGraphInstantiate(&result, graph, flags);
  return result;
}

struct nodes {
  cudaGraphNode_t make, fill, last;
  int* p;
};

// A graph makes memory and fills it.
nodes add_nodes(cudaGraph_t graph, size_t bytes, int first) {
  nodes n;
  auto what = memory(bytes);
  cudaGraphAddMemAllocNode(&n.make, graph, nullptr, 0, &what);
  n.p = static_cast<int*>(what.dptr);
  void* arguments[] = {&n.p, &first};
  const cudaKernelNodeParams kernel = {(void*)count_from, dim3(1), dim3(4), 0, arguments, nullptr};
  cudaGraphAddKernelNode(&n.fill, graph, &n.make, 1, &kernel);
  return n;
}

void node_by_node(cudaGraph_t graph, int* host) {
  nodes n = add_nodes(graph, 512, 1);
  cudaGraphNode_t copy;
  cudaGraphAddMemcpyNode1D(&copy, graph, &n.fill, 1, host, n.p, 16, cudaMemcpyDeviceToHost);
  cudaGraphAddMemFreeNode(&n.last, graph, &copy, 1, n.p);
  const auto all = executable(graph);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(all, nullptr);
  cudaDeviceSynchronize();
  std::printf("node by node: %d %d %d %d, used %llu, most %llu\n", host[0], host[1], host[2], host[3], used(),
              used(cudaGraphMemAttrUsedMemHigh));
  cudaGraphExecDestroy(all);
}

void captured(cudaStream_t stream, int* host) {
  cudaGraph_t graph;
  int *p, *before = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&p, 16, stream);
  before = p;
  count_from<<<1, 4, 0, stream>>>(p, 5);
  cudaMemcpyAsync(host, p, 16, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(p, stream);
  cudaStreamEndCapture(stream, &graph);
  const auto all = executable(graph);
  cudaGraphLaunch(all, stream);
  cudaGraphLaunch(all, stream);
  cudaStreamSynchronize(stream);
  std::printf("captured: %d %d %d %d, used %llu\n", host[0], host[1], host[2], host[3], used());
  std::printf("address known before: %d", before != nullptr);
}

void kept(cudaStream_t stream) {
  cudaGraph_t graph, frees;
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&frees, 0);
  const nodes n = add_nodes(graph, 16, 0);
  cudaMemAllocNodeParams what;
  cudaGraphMemAllocNodeGetParams(n.make, &what);
  cudaGraphNode_t end;
  cudaGraphAddMemFreeNode(&end, frees, nullptr, 0, n.p);
  void* freed;
  cudaGraphMemFreeNodeGetParams(end, &freed);
  std::printf(", parameters %zu bytes, same address %d %d\n", what.bytesize, what.dptr == n.p, freed == n.p);
  const auto all = executable(graph), of_end = executable(frees);
  cudaGraphLaunch(all, stream);
  std::printf("kept: used %llu", used());
  std::printf(", again %s", cudaGetErrorName(cudaGraphLaunch(all, stream)));
  cudaGraphLaunch(of_end, stream);
  std::printf(", freed by a graph: used %llu", used());
  cudaGraphLaunch(all, stream);
  cudaFree(n.p);
  std::printf(", by cudaFree: used %llu\n", used());
}

void freed_by_launch() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  const nodes n = add_nodes(graph, 16, 0);
  const auto all = executable(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  std::printf("freed by each launch:");
  for (int i = 0; i < 2; ++i) {
    int host[4];
    cudaGraphLaunch(all, nullptr);
    cudaMemcpy(host, n.p, 16, cudaMemcpyDeviceToHost);
    std::printf(" %d", host[3]);
  }
  std::printf(", used %llu\n", used());
  cudaDeviceGraphMemTrim(0);
  unsigned long long zero = 0;
  cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero);
  std::printf("trimmed: used %llu, most %llu after a reset\n", used(), used(cudaGraphMemAttrReservedMemHigh));
  cudaFree(n.p);
}

void print_errors(cudaGraph_t graph) {
  cudaGraphNode_t node;
  cudaGraph_t clone;
  auto nothing = memory(0);
  const auto empty = cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &nothing);
  const auto null = cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, nullptr);
  std::printf("errors: %s %s %s %s\n", cudaGetErrorName(empty), cudaGetErrorName(null),
              cudaGetErrorName(cudaDeviceGraphMemTrim(7)), cudaGetErrorName(cudaGraphClone(&clone, graph)));
}

void by_one_call() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t make, fill, end;
  cudaGraphNodeParams what{};
  what.type = cudaGraphNodeTypeMemAlloc;
  what.alloc = memory(16);
  cudaGraphAddNode(&make, graph, nullptr, nullptr, 0, &what);
  int* p = static_cast<int*>(what.alloc.dptr);
  int *out, first = 9, host;
  cudaMalloc(&out, 4);
  cudaGraphNodeParams work{}, last{};
  void* arguments[] = {&p, &first};
  work.type = cudaGraphNodeTypeKernel;
  work.kernel = {(void*)count_from, dim3(1), dim3(4), 0, arguments, nullptr};
  cudaGraphAddNode(&fill, graph, &make, nullptr, 1, &work);
  cudaGraphNode_t copy;
  cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, out, p, 4, cudaMemcpyDeviceToDevice);
  last.type = cudaGraphNodeTypeMemFree;
  last.free.dptr = p;
  cudaGraphAddNode(&end, graph, &copy, nullptr, 1, &last);
  cudaGraphLaunch(executable(graph), nullptr);
  cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost);
  std::printf("by cudaGraphAddNode: %d\n", host);
  cudaGraphNodeType types[3];
  cudaGraphNodeGetType(make, &types[0]);
  cudaGraphNodeGetType(fill, &types[1]);
  cudaGraphNodeGetType(end, &types[2]);
  std::printf("types: %d %d %d\n", types[0], types[1], types[2]);
}

int main() {
  int host[4];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  node_by_node(graph, host);
  captured(stream, host);
  kept(stream);
  freed_by_launch();
  print_errors(graph);
  by_one_call();
}
