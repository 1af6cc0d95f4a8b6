// hazard: none
#include <cooperative_groups.h>
__global__ void neighbours(int* a, int* b) {
  __shared__ int s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  s[threadIdx.x] = i;
  a[i] = i;
  cooperative_groups::this_grid().sync();
  b[i] = a[(i + blockDim.x) % n] + s[threadIdx.x];
}
int main() {
  int *a, *b;
  cudaMalloc(&a, 256 * sizeof(int));
  cudaMalloc(&b, 256 * sizeof(int));
  void* arguments[] = {&a, &b};
  cudaLaunchCooperativeKernel((void*)neighbours, 4, 64, arguments);
  return cudaDeviceSynchronize();
}
