// prints: 1025 threads: cudaErrorInvalidConfiguration
// prints: 32x33: cudaErrorInvalidConfiguration
// prints: z 65: cudaErrorInvalidConfiguration
// prints: no block: cudaErrorInvalidConfiguration
// prints: no threads: cudaErrorInvalidConfiguration
// prints: grid y: cudaErrorInvalidConfiguration
// prints: largest: cudaSuccess
// prints: runs 1
#include <cstdio>
__device__ int runs;
__global__ void k() {
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) atomicAdd(&runs, 1);
}
void say(const char* what) { std::printf("%s: %s\n", what, cudaGetErrorName(cudaGetLastError())); }
int main() {
  k<<<1, 1025>>>();
  say("1025 threads");
  k<<<1, dim3(32, 33)>>>();
  say("32x33");
  k<<<1, dim3(1, 1, 65)>>>();
  say("z 65");
  k<<<0, 1>>>();
  say("no block");
  k<<<1, 0>>>();
  say("no threads");
  k<<<dim3(1, 65536), 1>>>();
  say("grid y");
  k<<<1, dim3(4, 4, 64)>>>();
  say("largest");
  int n = 0;
  cudaMemcpyFromSymbol(&n, runs, sizeof n);
  std::printf("runs %d\n", n);
}
