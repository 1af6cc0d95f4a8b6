// hazard: error race 6 0
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) early_writer(int* out) {
  __shared__ int own[32];
  const auto cluster = cooperative_groups::this_cluster();
  if (blockIdx.x == 0) cluster.map_shared_rank(own, 1)[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (blockIdx.x == 0) out[threadIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  early_writer<<<2, 32>>>(out);
  return cudaDeviceSynchronize();
}
