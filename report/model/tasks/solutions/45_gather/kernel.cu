#include "lab.hpp"

// One element a thread: the second load waits for the first.
constexpr int block_size = 256;

__global__ void gather_kernel(const float* in, const int* from, float* out, int n) {
  const int i = blockIdx.x * block_size + threadIdx.x;
  if (i < n) out[i] = in[from[i] % n];
}

void gather(const float* in, const int* from, float* out, int n) {
  gather_kernel<<<(n - 1) / block_size + 1, block_size>>>(in, from, out, n);
}
