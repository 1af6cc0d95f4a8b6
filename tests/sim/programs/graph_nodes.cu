// prints: 5 nodes, 2 roots, the last is of type 3
// prints: first launch: 33 33 33, noted 99
// prints: other arguments: 63 63 63, noted 189
// prints: child: 15, noted 204
// prints: an updated graph: 27, wrong edges: cudaErrorGraphExecUpdateFailure
// prints: of another graph: cudaErrorInvalidValue, a cycle: cudaErrorInvalidValue
#include <cstdio>

__global__ void combine(int* sum, const int* a, const short* b, int times) {
  sum[threadIdx.x] = times * (a[threadIdx.x] + b[threadIdx.x]);
}
__global__ void add(int* p, int by) { *p += by; }

struct note {
  const int* values;
  int all;
};
void sum_up(void* p) {
  auto* const n = static_cast<note*>(p);
  for (int i = 0; i < 3; ++i) n->all += n->values[i];
}

int main() {
  int *a, *sum, from[3] = {1, 1, 1}, to[3] = {};
  short* b;
  cudaMalloc(&a, sizeof from);
  cudaMalloc(&sum, sizeof from);
  cudaMalloc(&b, 3 * sizeof(short));
  note n{to, 0};
  cudaGraph_t graph, other;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t copy, fill, kernel, back, host;
  cudaMemcpy3DParms in{};
  in.srcPtr = make_cudaPitchedPtr(from, sizeof from, 3, 1);
  in.dstPtr = make_cudaPitchedPtr(a, sizeof from, 3, 1);
  in.extent = make_cudaExtent(sizeof from, 1, 1);
  in.kind = cudaMemcpyHostToDevice;
  cudaGraphAddMemcpyNode(&copy, graph, nullptr, 0, &in);
  cudaMemsetParams ten{};
  ten.dst = b;
  ten.value = 10;
  ten.elementSize = sizeof(short);
  ten.width = 3;
  ten.height = 1;
  cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &ten);
  int times = 3;
  void* arguments[] = {&sum, &a, &b, &times};
  cudaKernelNodeParams work{};
  work.func = (void*)combine;
  work.gridDim = dim3(1);
  work.blockDim = dim3(3);
  work.kernelParams = arguments;
  const cudaGraphNode_t both[] = {copy, fill};
  cudaGraphAddKernelNode(&kernel, graph, both, 2, &work);
  cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, to, sum, sizeof to, cudaMemcpyDeviceToHost);
  const cudaHostNodeParams call{sum_up, &n};
  cudaGraphAddHostNode(&host, graph, &back, 1, &call);
  size_t nodes = 0, roots = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetRootNodes(graph, nullptr, &roots);
  cudaGraphNodeType type;
  cudaGraphNodeGetType(host, &type);
  std::printf("%zu nodes, %zu roots, the last is of type %d\n", nodes, roots, type);

  times = 1000;  // the node keeps what its arguments were
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  std::printf("first launch: %d %d %d, noted %d\n", to[0], to[1], to[2], n.all);
  times = 3;
  from[0] = from[1] = from[2] = 11;
  n.all = 0;
  cudaGraphExecKernelNodeSetParams(executable, kernel, &work);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  std::printf("other arguments: %d %d %d, noted %d\n", to[0], to[1], to[2], n.all);

  // A graph as a node of another one, and a kernel after it.
  cudaGraph_t inner;
  cudaGraphCreate(&inner, 0);
  cudaGraphNode_t first, second, child, last, place;
  int by = 5;
  void* more[] = {&sum, &by};
  work.func = (void*)add;
  work.blockDim = dim3(1);
  work.kernelParams = more;
  cudaGraphAddKernelNode(&first, inner, nullptr, 0, &work);
  cudaGraphAddKernelNode(&second, inner, &first, 1, &work);
  cudaGraphCreate(&other, 0);
  cudaGraphNode_t zero, out;
  const cudaMemsetParams nothing{sum, 0, 0, 4, 3, 1};
  cudaGraphAddMemsetNode(&zero, other, nullptr, 0, &nothing);
  cudaGraphAddChildGraphNode(&child, other, &zero, 1, inner);
  cudaGraphAddEmptyNode(&place, other, &child, 1);
  cudaGraphAddKernelNode(&last, other, &place, 1, &work);
  cudaGraphAddMemcpyNode1D(&out, other, &last, 1, to, sum, sizeof to, cudaMemcpyDeviceToHost);
  cudaGraphAddHostNode(&host, other, &out, 1, &call);
  cudaGraphExec_t nested;
  cudaGraphInstantiate(&nested, other, 0);
  cudaGraphLaunch(nested, stream);
  cudaStreamSynchronize(stream);
  std::printf("child: %d, noted %d\n", to[0], n.all);

  cudaGraphExec_t two;
  cudaGraph_t copy_of_inner;
  cudaGraphInstantiate(&two, inner, 0);
  cudaGraphClone(&copy_of_inner, inner);
  by = 6;
  size_t count = 2;
  cudaGraphNode_t cloned[2];
  cudaGraphGetNodes(copy_of_inner, cloned, &count);
  for (const auto each : cloned) cudaGraphKernelNodeSetParams(each, &work);
  cudaGraphExecUpdateResultInfo result;
  cudaGraphExecUpdate(two, copy_of_inner, &result);
  cudaGraphLaunch(two, stream);
  cudaMemcpy(to, sum, sizeof(int), cudaMemcpyDeviceToHost);
  const cudaError_t changed = cudaGraphExecUpdate(two, graph, &result);
  std::printf("an updated graph: %d, wrong edges: %s\n", to[0], cudaGetErrorName(changed));
  const cudaError_t strange = cudaGraphAddEmptyNode(&place, graph, &first, 1);
  cudaGraphAddDependencies(inner, &second, &first, 1);
  cudaGraphExec_t never;
  std::printf("of another graph: %s, a cycle: %s\n", cudaGetErrorName(strange),
              cudaGetErrorName(cudaGraphInstantiate(&never, inner, 0)));
  cudaGetLastError();
  for (const auto each : {graph, other, inner, copy_of_inner}) cudaGraphDestroy(each);
  for (const auto each : {executable, nested, two}) cudaGraphExecDestroy(each);
  cudaStreamDestroy(stream);
}
