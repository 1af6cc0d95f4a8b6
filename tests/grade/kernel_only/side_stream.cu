// clock: kernel, slow
// Works in a stream that events in the default stream do not wait for, and returns at once.
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
  static const cudaStream_t side = [] {
    cudaStream_t made;
    cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    return made;
  }();
  transpose_slowly<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0, side>>>(in, out, rows, cols);
}
