// prints: while capturing 0, status 1
// prints: 5 steps, after three launches 63
// prints: the host function ran 3 times
// prints: waiting while capturing: cudaErrorStreamCaptureUnsupported, then cudaErrorStreamCaptureInvalidated
// prints: default stream while capturing: cudaErrorStreamCaptureImplicit
// prints: not joined: cudaErrorStreamCaptureUnjoined
// prints: a graph within a graph 12
// prints: end without begin: cudaErrorStreamCaptureUnmatched
#include <cstdio>
__global__ void add(int* p, int by) { p[threadIdx.x] += by; }
template <class T>
__global__ void scale(T* p, T by) {
  p[threadIdx.x] *= by;
}
void count(void* p) { ++*static_cast<int*>(p); }
int main() {
  int *d, h = 0, calls = 0;
  cudaMalloc(&d, 32 * sizeof(int));
  cudaMemset(d, 0, 32 * sizeof(int));
  cudaStream_t s, side;
  cudaStreamCreate(&s);
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  for (int i = 1; i <= 2; ++i) add<<<1, 32, 0, s>>>(d, i);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(side, fork);
  scale<<<1, 32, 0, side>>>(d, 3);
  cudaLaunchHostFunc(side, count, &calls);
  cudaEventRecord(join, side);
  cudaStreamWaitEvent(s, join);
  cudaMemcpyAsync(&h, d + 5, sizeof(int), cudaMemcpyDeviceToHost, s);
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(s, &status);
  std::printf("while capturing %d, status %d\n", h, status);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  size_t steps = 0;
  cudaGraphGetNodes(graph, nullptr, &steps);
  cudaGraphDestroy(graph);
  cudaMemset(d, 0, 32 * sizeof(int));
  const int start = -1;
  cudaMemcpy(d + 5, &start, sizeof(int), cudaMemcpyHostToDevice);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, s);
  cudaStreamSynchronize(s);
  std::printf("%zu steps, after three launches %d\n", steps, h - 27);
  std::printf("the host function ran %d times\n", calls);

  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  const cudaError_t waited = cudaDeviceSynchronize();
  const cudaError_t spoiled = cudaStreamEndCapture(s, &graph);
  std::printf("waiting while capturing: %s, then %s\n", cudaGetErrorName(waited), cudaGetErrorName(spoiled));
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  add<<<1, 32>>>(d, 1);
  std::printf("default stream while capturing: %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaStreamEndCapture(s, &graph);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(side, fork);
  add<<<1, 32, 0, side>>>(d, 1);
  std::printf("not joined: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
  cudaGetLastError();

  cudaMemset(d, 0, 32 * sizeof(int));
  cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
  cudaGraphLaunch(executable, s);
  add<<<1, 32, 0, s>>>(d, 3);
  cudaMemcpyAsync(&h, d + 5, sizeof(int), cudaMemcpyDeviceToHost, s);
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t outer;
  cudaGraphInstantiate(&outer, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(outer, s);
  cudaDeviceSynchronize();
  std::printf("a graph within a graph %d\n", h);
  std::printf("end without begin: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
  cudaGraphExecDestroy(executable);
  cudaGraphExecDestroy(outer);
}
