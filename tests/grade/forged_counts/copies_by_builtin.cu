// The compiler's own name of a copy.
#include "lab.hpp"

__global__ void transpose_kernel(const int* in, int* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = (blockIdx.y * 8 + threadIdx.y) * 8;
  if (col >= cols) return;
  int values[8];
  for (int k = 0; k < 8 && row + k < rows; ++k) values[k] = in[(row + k) * cols + col];
  if (row + 8 <= rows)
    __builtin_memcpy(out + col * rows + row, values, 32);
  else
    for (int k = 0; row + k < rows; ++k) out[col * rows + row + k] = values[k];
}

void transpose(const int* in, int* out, int rows, int cols) {
  transpose_kernel<<<dim3((cols + 31) / 32, (rows + 63) / 64), dim3(32, 8)>>>(in, out, rows, cols);
}
