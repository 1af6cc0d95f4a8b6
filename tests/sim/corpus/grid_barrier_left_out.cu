// hazard: error divergent_barrier 6 0
#include <cooperative_groups.h>
__global__ void first_blocks_only(int* a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (blockIdx.x == 3) return;
  cooperative_groups::this_grid().sync();
  a[blockIdx.x * blockDim.x + threadIdx.x] = 2;
}
int main() {
  int* a;
  cudaMalloc(&a, 256 * sizeof(int));
  void* arguments[] = {&a};
  cudaLaunchCooperativeKernel((void*)first_blocks_only, 4, 64, arguments);
  return cudaDeviceSynchronize() != cudaSuccess;
}
