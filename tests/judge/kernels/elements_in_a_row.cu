#include "lab.hpp"

__global__ void twice_kernel(const int* in, int* out, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  for (int i = first; i < first + 8 && i < n; ++i) out[i] = 2 * in[i];
}

void twice(const int* in, int* out, int n) { twice_kernel<<<(n + 2047) / 2048, 256>>>(in, out, n); }
