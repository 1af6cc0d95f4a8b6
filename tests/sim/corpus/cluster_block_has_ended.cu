// hazard: error race 8 0
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) late_reader(int* out) {
  __shared__ int own[32];
  own[threadIdx.x] = threadIdx.x;
  cooperative_groups::this_cluster().sync();
  const int* next = cooperative_groups::this_cluster().map_shared_rank(own, 1 - blockIdx.x);
  out[blockIdx.x * 32 + threadIdx.x] = next[31 - threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  late_reader<<<2, 32>>>(out);
  return cudaDeviceSynchronize();
}
