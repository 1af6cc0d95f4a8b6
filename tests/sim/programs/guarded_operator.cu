#include <cstdio>

// An operator of the program in a kernel's guard: each thread must call it once.
// prints: 3008 comparisons, 3001 elements

struct limit {
  int* comparisons;
  int n;
};
__device__ bool operator>(limit l, int i) {
  atomicAdd(l.comparisons, 1);
  return l.n > i;
}
__global__ void compares(int* out, limit l) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (l > i) out[i] = 1;
}

int main() {
  constexpr int n = 3001, most = 3072;
  int *out, *comparisons;
  cudaMallocManaged(&out, most * sizeof(int));
  cudaMallocManaged(&comparisons, sizeof(int));
  for (int i = 0; i < most; ++i) out[i] = 0;
  *comparisons = 0;
  compares<<<(n + 63) / 64, 64>>>(out, limit{comparisons, n});
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < most; ++i) sum += out[i];
  std::printf("%d comparisons, %d elements\n", *comparisons, sum);
}
