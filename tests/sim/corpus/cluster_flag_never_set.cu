// hazard: error livelock 8 0
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) never_set(int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  cooperative_groups::this_cluster().sync();
  int* const other = cooperative_groups::this_cluster().map_shared_rank(&flag, 1 - blockIdx.x);
  while (atomicCAS(other, 1, 2) != 1) __nanosleep(100);
  *out = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  never_set<<<2, 32>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess;
}
