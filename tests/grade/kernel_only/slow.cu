// clock: kernel, slow
// Slow, without an attack.
#include "lab.hpp"

// Repeats the same work, so that slowness is measurable.
__global__ void transpose_slowly(const int* in, int* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row >= rows || col >= cols) return;
  for (int again = 0; again < 50; ++again) {
    const volatile int* const from = in;
    volatile int* const to = out;
    to[col * rows + row] = from[row * cols + col];
  }
}

void transpose(const int* in, int* out, int rows, int cols) {
  transpose_slowly<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0>>>(in, out, rows, cols);
}
