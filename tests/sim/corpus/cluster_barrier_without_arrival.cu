// hazard: error divergent_barrier 6 0
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) half_arrive(int* out) {
  const auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x < 32) cluster.barrier_arrive();
  cluster.barrier_wait();
  out[threadIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  half_arrive<<<2, 64>>>(out);
  return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}
