// expect: wrong_answer  diagnosis: adds_to_output
// Adds to what the output held before.
#include "lab.hpp"

constexpr int block_size = 256;

// Thread t of block b owns element b * 256 + t; the grid is rounded up to whole blocks.
__global__ void scale_kernel(const int* in, int* out, int n, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // hazard: uninitialized_read
  if (i < n) out[i] += factor * in[i];
}

void scale(const int* in, int* out, int n, int factor) {
  const int blocks = (n + block_size - 1) / block_size;
  scale_kernel<<<blocks, block_size>>>(in, out, n, factor);
}
