// expect: out_of_bounds  diagnosis: missing_guard
// Stores without asking whether the element exists.
#include "lab.hpp"

constexpr int block_size = 256;

// Thread t of block b owns element b * 256 + t; the grid is rounded up to whole blocks.
__global__ void scale_kernel(const int* in, int* out, int n, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // hazard: out_of_bounds
  out[i] = factor * in[i];
}

void scale(const int* in, int* out, int n, int factor) {
  const int blocks = (n + block_size - 1) / block_size;
  scale_kernel<<<blocks, block_size>>>(in, out, n, factor);
}
