// hazard: error race 5 7
#include <cooperative_groups.h>
__global__ void neighbours(int* a, int* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  cooperative_groups::this_thread_block().sync();
  b[i] = a[(i + blockDim.x) % n];
}
int main() {
  int *a, *b;
  cudaMalloc(&a, 256 * sizeof(int));
  cudaMemset(a, 0, 256 * sizeof(int));
  cudaMalloc(&b, 256 * sizeof(int));
  void* arguments[] = {&a, &b};
  cudaLaunchCooperativeKernel((void*)neighbours, 4, 64, arguments);
  return cudaDeviceSynchronize() != cudaSuccess;
}
