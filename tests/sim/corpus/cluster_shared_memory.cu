// hazard: none
#include <cooperative_groups.h>
__global__ void __cluster_dims__(4) neighbours(int* out) {
  __shared__ int own[64], given[64];
  const auto cluster = cooperative_groups::this_cluster();
  const int next = (cluster.block_rank() + 1) % cluster.num_blocks();
  own[threadIdx.x] = threadIdx.x;
  cluster.sync();
  cluster.map_shared_rank(given, next)[threadIdx.x] = own[threadIdx.x] + cluster.map_shared_rank(own, next)[0];
  cluster.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = given[63 - threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 512 * sizeof(int));
  neighbours<<<8, 64>>>(out);
  return cudaDeviceSynchronize();
}
