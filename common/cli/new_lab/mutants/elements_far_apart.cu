// expect: gate  diagnosis: uncoalesced
// Each thread takes eight elements in a row, so that neighbours are far apart.
#include "lab.hpp"

constexpr int block_size = 256;

constexpr int batch = 8;

// Thread t of block b owns 8 elements from (b * 256 + t) * 8 on; the grid is rounded up to whole blocks.
__global__ void scale_kernel(const int* in, int* out, int n, int factor) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * batch;
  for (int i = first; i < first + batch && i < n; ++i) out[i] = factor * in[i];
}

void scale(const int* in, int* out, int n, int factor) {
  const int blocks = (n + block_size * batch - 1) / (block_size * batch);
  scale_kernel<<<blocks, block_size>>>(in, out, n, factor);
}
