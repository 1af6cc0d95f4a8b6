// hazard: error divergent_barrier 8 8
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void reverse(int* d, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  if (t < n) cg::this_thread_block().sync(); else cg::sync(cg::this_thread_block());
  d[t] = s[63 - t];
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  reverse<<<1, 64>>>(d, 32);
  return cudaDeviceSynchronize();
}
