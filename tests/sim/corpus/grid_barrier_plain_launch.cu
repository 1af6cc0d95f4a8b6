// hazard: error launch_error 5 0
#include <cooperative_groups.h>
__global__ void waits(int* a) {
  a[threadIdx.x] = 1;
  cooperative_groups::this_grid().sync();
  a[threadIdx.x] = 2;
}
int main() {
  int* a;
  cudaMalloc(&a, 256);
  waits<<<1, 64>>>(a);
  return cudaDeviceSynchronize() != cudaSuccess;
}
