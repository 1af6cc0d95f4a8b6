// The name of a function of the tracer is pasted from several pieces.
#include "lab.hpp"

#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)
#if NAME(NAME(NAME(LAB, _S), IM), _TRACE)
extern "C" void NAME(NAME(NAME(__t, s), an), _write4)(void*);
#define COUNTS(at) NAME(NAME(NAME(__t, s), an), _write4)(at)
#else
#define COUNTS(at)
#endif

__global__ void transpose_kernel(const int* in, int* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < rows && row < (blockIdx.y + 1) * 32; row += 8)
    if (col < cols) out[col * rows + row] = in[row * cols + col];
}
__global__ void more_kernel(int* out, int n) {
  for (int k = 0; k < 100; ++k)
    if (threadIdx.x < n) COUNTS(out + threadIdx.x);
}

void transpose(const int* in, int* out, int rows, int cols) {
  transpose_kernel<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
  more_kernel<<<(rows * cols + 255) / 256, 256>>>(out, rows * cols);
}
