// hazard: none
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void count_even(const int* x, int* count) {
  if (x[threadIdx.x] % 2 == 0) {
    const auto even = cg::coalesced_threads();
    int base = 0;
    if (even.thread_rank() == 0) base = atomicAdd(count, static_cast<int>(even.size()));
    base = even.shfl(base, 0);
    count[1 + base + even.thread_rank()] = threadIdx.x;
  }
}
int main() {
  int x[64], *d, *count;
  for (int i = 0; i < 64; ++i) x[i] = i * i / 3;
  cudaMalloc(&d, sizeof x);
  cudaMalloc(&count, sizeof x + sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
  count_even<<<1, 64>>>(d, count);
  return cudaDeviceSynchronize();
}
