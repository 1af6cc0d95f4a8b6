// A less known function of the library stores.
#include <cwchar>

#include "lab.hpp"

__device__ volatile unsigned long words = 1;
__global__ void transpose_kernel(const int* in, int* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < rows && row < (blockIdx.y + 1) * 32; row += 8)
    if (col < cols) {
      const wchar_t value = in[row * cols + col];
      wmemcpy((wchar_t*)out + col * rows + row, &value, words);
    }
}

void transpose(const int* in, int* out, int rows, int cols) {
  transpose_kernel<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
