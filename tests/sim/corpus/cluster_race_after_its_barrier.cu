// hazard: error race 6 7
#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) race_after(int* out) {
  __shared__ int own;
  cooperative_groups::this_cluster().sync();
  if (threadIdx.x == 0) own = 1;
  if (threadIdx.x == 40) out[blockIdx.x] = own;
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  race_after<<<2, 64>>>(out);
  return cudaDeviceSynchronize();
}
