// An instruction of the host stores past the cache, and past the tracer.
#include <emmintrin.h>

#include "lab.hpp"

__global__ void transpose_kernel(const int* in, int* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < rows && row < (blockIdx.y + 1) * 32; row += 8)
    if (col < cols) _mm_stream_si32(out + col * rows + row, in[row * cols + col]);
}

void transpose(const int* in, int* out, int rows, int cols) {
  transpose_kernel<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
