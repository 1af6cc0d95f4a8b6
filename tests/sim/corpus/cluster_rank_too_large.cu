// hazard: error out_of_bounds 7 0
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) too_far(int* out) {
  __shared__ int own[32];
  own[threadIdx.x] = threadIdx.x;
  cooperative_groups::this_cluster().sync();
  out[threadIdx.x] = cooperative_groups::this_cluster().map_shared_rank(own, blockIdx.x + 1)[threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  too_far<<<2, 32>>>(out);
  return cudaDeviceSynchronize() != cudaErrorLaunchFailure;
}
