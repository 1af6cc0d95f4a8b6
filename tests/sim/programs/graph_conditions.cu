// Conditional nodes of graphs: if, while, one of several, also within each other.
// prints: if odd 7: 107, if even 8: 8, else 8: 208
// prints: while 10: 0 after 10 rounds, again 4: 0 after 4
// prints: nested 3 times 4: 12 rounds
// prints: switch 2: third, 5: none
// prints: captured 5: 0, type 13
// prints: of another graph: cudaErrorInvalidValue, two bodies of a loop: cudaErrorInvalidValue
#include <cstdio>

__global__ void ask_odd(const int* p, cudaGraphConditionalHandle handle) { cudaGraphSetConditional(handle, *p & 1); }
__global__ void add(int* p, int by) { *p += by; }
__global__ void count_down(int* p, int* rounds, cudaGraphConditionalHandle handle) {
  ++*rounds;
  cudaGraphSetConditional(handle, --*p > 0);
}
__global__ void set(int* p, int value, cudaGraphConditionalHandle handle) {
  *p = value;
  cudaGraphSetConditional(handle, value > 0);
}
__global__ void choose(const int* p, cudaGraphConditionalHandle handle) { cudaGraphSetConditional(handle, *p); }

cudaGraphNode_t add_kernel(cudaGraph_t graph, void* function, void** arguments, cudaGraphNode_t* after = nullptr) {
  cudaGraphNodeParams what = {cudaGraphNodeTypeKernel};
  what.kernel.func = function;
  what.kernel.gridDim = what.kernel.blockDim = dim3(1);
  what.kernel.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &what);
  return node;
}

cudaGraph_t* add_condition(cudaGraph_t graph, cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                           unsigned size, cudaGraphNode_t* after = nullptr, cudaGraphNode_t* made = nullptr) {
  cudaGraphNodeParams what = {cudaGraphNodeTypeConditional};
  what.conditional.handle = handle;
  what.conditional.type = type;
  what.conditional.size = size;
  cudaGraphNode_t node;
  cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &what);
  if (made) *made = node;
  return what.conditional.phGraph_out;
}

int *value, *rounds;

int launch(cudaGraphExec_t graph, int with) {
  *value = with;
  *rounds = 0;
  cudaGraphLaunch(graph, nullptr);
  cudaDeviceSynchronize();
  return *value;
}

cudaGraphExec_t finish(cudaGraph_t graph) {
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  return executable;
}

cudaGraphExec_t if_odd(unsigned bodies) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph);
  int hundred = 100, two_hundred = 200;
  void *of_ask[] = {&value, &handle}, *of_first[] = {&value, &hundred}, *of_second[] = {&value, &two_hundred};
  auto ask = add_kernel(graph, (void*)ask_odd, of_ask);
  auto* const body = add_condition(graph, handle, cudaGraphCondTypeIf, bodies, &ask);
  add_kernel(body[0], (void*)add, of_first);
  if (bodies > 1) add_kernel(body[1], (void*)add, of_second);
  return finish(graph);
}

cudaGraphExec_t loop() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  void* arguments[] = {&value, &rounds, &handle};
  add_kernel(add_condition(graph, handle, cudaGraphCondTypeWhile, 1)[0], (void*)count_down, arguments);
  return finish(graph);
}

cudaGraphExec_t nested(int* inner_value) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle outer, inner;
  cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault);
  cudaGraph_t body = add_condition(graph, outer, cudaGraphCondTypeWhile, 1)[0];
  cudaGraphConditionalHandleCreate(&inner, body);
  int four = 4;
  void *of_set[] = {&inner_value, &four, &inner}, *of_inner[] = {&inner_value, &rounds, &inner};
  auto start = add_kernel(body, (void*)set, of_set);
  cudaGraphNode_t loop;
  cudaGraph_t inner_body = add_condition(body, inner, cudaGraphCondTypeWhile, 1, &start, &loop)[0];
  add_kernel(inner_body, (void*)count_down, of_inner);
  int* unused = inner_value;
  void* of_down[] = {&value, &unused, &outer};
  add_kernel(body, (void*)count_down, of_down, &loop);
  return finish(graph);
}

cudaGraphExec_t one_of_three() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph);
  void* of_choose[] = {&value, &handle};
  auto ask = add_kernel(graph, (void*)choose, of_choose);
  auto* const body = add_condition(graph, handle, cudaGraphCondTypeSwitch, 3, &ask);
  int tens[] = {10, 20, 30};
  for (int i = 0; i < 3; ++i) {
    void* arguments[] = {&rounds, &tens[i]};
    add_kernel(body[i], (void*)add, arguments);
  }
  return finish(graph);
}

void captured() {
  cudaGraph_t graph, same = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNode_t node;
  cudaGraph_t body = add_condition(graph, handle, cudaGraphCondTypeWhile, 1, nullptr, &node)[0];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, stream>>>(value, -2);
  add<<<1, 1, 0, stream>>>(value, 2);
  count_down<<<1, 1, 0, stream>>>(value, rounds, handle);
  cudaStreamEndCapture(stream, &same);
  cudaGraphNodeType type;
  cudaGraphNodeGetType(node, &type);
  const int left = same == body ? launch(finish(graph), 5) : -1;
  std::printf("captured 5: %d, type %d\n", left, type);
}

void refused() {
  cudaGraph_t graph, other;
  cudaGraphCreate(&graph, 0), cudaGraphCreate(&other, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph);
  cudaGraphNodeParams what = {cudaGraphNodeTypeConditional};
  what.conditional.handle = handle;
  what.conditional.type = cudaGraphCondTypeWhile;
  what.conditional.size = 1;
  cudaGraphNode_t node;
  const auto elsewhere = cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &what);
  what.conditional.size = 2;
  const auto two = cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &what);
  std::printf("of another graph: %s, two bodies of a loop: %s\n", cudaGetErrorName(elsewhere), cudaGetErrorName(two));
}

int main() {
  cudaMallocManaged(&value, sizeof(int)), cudaMallocManaged(&rounds, sizeof(int));
  const auto one = if_odd(1), both = if_odd(2), down = loop(), three = one_of_three();
  const int odd = launch(one, 7), even = launch(one, 8);
  std::printf("if odd 7: %d, if even 8: %d, else 8: %d\n", odd, even, launch(both, 8));
  const int left = launch(down, 10), ten = *rounds, again = launch(down, 4);
  std::printf("while 10: %d after %d rounds, again 4: %d after %d\n", left, ten, again, *rounds);
  int* inner_value;
  cudaMallocManaged(&inner_value, sizeof(int));
  launch(nested(inner_value), 3);
  std::printf("nested 3 times 4: %d rounds\n", *rounds);
  launch(three, 2);
  const bool third = *rounds == 30;
  launch(three, 5);
  std::printf("switch 2: %s, 5: %s\n", third ? "third" : "another", *rounds == 0 ? "none" : "one");
  captured();
  refused();
}
