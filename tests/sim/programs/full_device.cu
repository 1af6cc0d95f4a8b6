// A cooperative launch that fills every multiprocessor with blocks of 1024 threads, all of which wait for each other.
// prints: no error 135168
#include <cooperative_groups.h>

#include <cstdio>
__global__ void meet(int* count) {
  extern __shared__ int own[];
  own[threadIdx.x] = 1;
  __syncthreads();
  cooperative_groups::this_grid().sync();
  atomicAdd(count, own[threadIdx.x ^ 1]);
}
int main() {
  int *d, h = 0;
  const int shared = 100 << 10;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  cudaFuncSetAttribute(meet, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  void* arguments[] = {&d};
  const cudaError_t launched = cudaLaunchCooperativeKernel((void*)meet, 132, 1024, arguments, shared);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", cudaGetErrorString(launched), h);
}
