// What a capture knows of its graph, and nodes that a program adds to the graph while a stream captures.
// prints: no capture: status 0, id 7
// prints: begun: status 1, same id 1, nodes before 0
// prints: after a kernel: nodes before 1, the graph's last 1
// prints: other forms: 1 1 1, same graph 1
// prints: set: nodes before 1, added: 2, twice: 2
// prints: nodes 5, edges 1-2 2-3 1-4 2-4
// prints: same graph at the end 1
// prints: result 1 12 120 1200
// prints: errors: cudaErrorIllegalState cudaErrorInvalidValue cudaErrorInvalidValue
// prints: a failed capture leaves 1 node
// prints: a stream destroyed after it has joined: cudaSuccess, 3 nodes
#include <cstdio>

__global__ void set(int* p, int value) { *p = value; }
__global__ void scale(int* to, const int* from, int factor) { *to = *from * factor; }

struct state {
  cudaStreamCaptureStatus status;
  unsigned long long id = 7;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* before = nullptr;
  size_t count = 0;
};
state ask(cudaStream_t stream) {
  state s;
  cudaStreamGetCaptureInfo(stream, &s.status, &s.id, &s.graph, &s.before, nullptr, &s.count);
  return s;
}

cudaGraphNode_t add_set(cudaGraph_t graph, const cudaGraphNode_t* before, size_t count, int* p, int value) {
  cudaGraphNode_t node;
  void* arguments[] = {&p, &value};
  const cudaKernelNodeParams what = {(void*)set, dim3(1), dim3(1), 0, arguments, nullptr};
  cudaGraphAddKernelNode(&node, graph, before, count, &what);
  return node;
}

void print_edges(cudaGraph_t graph) {
  cudaGraphNode_t all[8], from[8], to[8];
  size_t nodes = 8, edges = 8;
  cudaGraphGetNodes(graph, all, &nodes);
  cudaGraphGetEdges(graph, from, to, nullptr, &edges);
  std::printf("nodes %zu, edges", nodes);
  const auto number = [&](cudaGraphNode_t n) {
    int i = 0;
    while (all[i] != n) ++i;
    return i;
  };
  for (size_t e = 0; e < edges; ++e) std::printf(" %d-%d", number(from[e]), number(to[e]));
  std::printf("\n");
}

void print_result(cudaGraph_t graph, const int* p) {
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, nullptr);
  int r[4];
  cudaMemcpy(r, p, sizeof r, cudaMemcpyDeviceToHost);
  std::printf("result %d %d %d %d\n", r[0], r[1], r[2], r[3]);
  cudaGraphExecDestroy(executable);
}

void print_failure(cudaStream_t stream, int* p) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  add_set(graph, nullptr, 0, p, 1);
  cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
  set<<<1, 1, 0, stream>>>(p, 2);
  ask(stream);
  cudaDeviceSynchronize();  // invalidates the capture
  cudaStreamEndCapture(stream, nullptr);
  size_t count = 0;
  cudaGraphGetNodes(graph, nullptr, &count);
  std::printf("a failed capture leaves %zu node\n", count);
}

void print_joined(cudaStream_t stream, int* p) {
  cudaStream_t other;
  cudaEvent_t begun, done;
  cudaGraph_t graph;
  size_t count = 0;
  cudaStreamCreate(&other);
  cudaEventCreate(&begun);
  cudaEventCreate(&done);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  set<<<1, 1, 0, stream>>>(p, 1);
  cudaEventRecord(begun, stream);
  cudaStreamWaitEvent(other, begun);
  set<<<1, 1, 0, other>>>(p + 1, 2);
  cudaEventRecord(done, other);
  cudaStreamWaitEvent(stream, done);
  cudaStreamDestroy(other);
  set<<<1, 1, 0, stream>>>(p + 2, 3);
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  if (graph) cudaGraphGetNodes(graph, nullptr, &count);
  std::printf("a stream destroyed after it has joined: %s, %zu nodes\n", cudaGetErrorName(ended), count);
}

int main() {
  int* p;
  cudaMalloc(&p, 4 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  state now = ask(stream);
  std::printf("no capture: status %d, id %llu\n", now.status, now.id);
  const auto refused = cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  const state first = ask(stream);
  now = ask(stream);
  std::printf("begun: status %d, same id %d, nodes before %zu\n", now.status, now.id == first.id, now.count);
  auto own = add_set(first.graph, nullptr, 0, p, 1);
  set<<<1, 1, 0, stream>>>(p + 1, 12);
  now = ask(stream);
  cudaGraphNode_t all[2];
  size_t two = 2;
  cudaGraphGetNodes(now.graph, all, &two);
  std::printf("after a kernel: nodes before %zu, the graph's last %d\n", now.count, *now.before == all[1]);
  cudaStreamCaptureStatus s1, s2, s3;
  cudaGraph_t same2, same3;
  cudaStreamGetCaptureInfo(stream, &s1);
  cudaStreamGetCaptureInfo_v2(stream, &s2, nullptr, &same2, &now.before, &now.count);
  cudaStreamGetCaptureInfo_v3(stream, &s3, nullptr, &same3, &now.before, nullptr, &now.count);
  std::printf("other forms: %d %d %d, same graph %d\n", s1, s2, s3, same2 == first.graph && same3 == first.graph);

  cudaGraphNode_t kernel = *now.before;
  scale<<<1, 1, 0, stream>>>(p + 2, p + 1, 10);
  cudaGraphNode_t tenfold = *ask(stream).before;
  scale<<<1, 1, 0, stream>>>(p + 3, p + 2, 10);
  cudaStreamUpdateCaptureDependencies(stream, &kernel, nullptr, 1, cudaStreamSetCaptureDependencies);
  std::printf("set: nodes before %zu", ask(stream).count);
  cudaStreamUpdateCaptureDependencies(stream, &tenfold, 1);
  std::printf(", added: %zu", ask(stream).count);
  cudaStreamUpdateCaptureDependencies_v2(stream, &tenfold, nullptr, 1);
  std::printf(", twice: %zu\n", ask(stream).count);
  scale<<<1, 1, 0, stream>>>(p + 3, p + 2, 10);

  cudaGraph_t other, graph;
  cudaGraphCreate(&other, 0);
  cudaGraphNode_t foreign = add_set(other, nullptr, 0, p, 1);
  const auto of_other = cudaStreamUpdateCaptureDependencies(stream, &foreign, nullptr, 1);
  const auto flags = cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, 2);
  cudaStreamEndCapture(stream, &graph);
  print_edges(graph);
  std::printf("same graph at the end %d\n", graph == first.graph);
  print_result(graph, p);
  std::printf("errors: %s %s %s\n", cudaGetErrorName(refused), cudaGetErrorName(of_other), cudaGetErrorName(flags));
  print_failure(stream, p);
  print_joined(stream, p);
}
