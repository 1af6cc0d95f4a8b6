// prints: 2 4 6 callback 1 time 1
// prints: cudaErrorInvalidResourceHandle cudaErrorInvalidResourceHandle
#include <cstdio>
__global__ void twice(int* p) { p[threadIdx.x] *= 2; }
int main() {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  int *pinned, *d, called = 0;
  cudaMallocHost(&pinned, 12);
  cudaMalloc(&d, 12);
  for (int i = 0; i < 3; ++i) pinned[i] = i + 1;
  cudaEventRecord(begin, s);
  cudaMemcpyAsync(d, pinned, 12, cudaMemcpyHostToDevice, s);
  twice<<<1, 3, 0, s>>>(d);
  cudaMemcpyAsync(pinned, d, 12, cudaMemcpyDeviceToHost, s);
  cudaLaunchHostFunc(s, [](void* p) { *static_cast<int*>(p) = 1; }, &called);
  cudaEventRecord(end, s);
  cudaStreamWaitEvent(t, end, 0);
  cudaStreamSynchronize(t);
  cudaEventSynchronize(end);
  float ms = -1;
  cudaEventElapsedTime(&ms, begin, end);
  std::printf("%d %d %d callback %d time %d\n", pinned[0], pinned[1], pinned[2], called, ms >= 0);
  cudaStreamDestroy(s);
  const cudaError_t gone = cudaStreamSynchronize(s);
  std::printf("%s %s\n", cudaGetErrorName(gone), cudaGetErrorName(cudaGetLastError()));
}
