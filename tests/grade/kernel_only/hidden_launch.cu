// clock: host, slow
// because: no kernel is launched
// Launches through the driver, so that the runtime does not see the launch.
#include <cuda.h>

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
  void* found = nullptr;
  cudaDriverEntryPointQueryResult ignored;
  cudaGetDriverEntryPointByVersion("cuLaunchKernel", &found, 12000, cudaEnableDefault, &ignored);
  cudaFunction_t f;
  cudaGetFuncBySymbol(&f, reinterpret_cast<const void*>(transpose_slowly));
  void* values[] = {&in, &out, &rows, &cols};
  reinterpret_cast<decltype(&cuLaunchKernel)>(found)(f, (cols + 31) / 32, (rows + 7) / 8, 1, 32, 8, 1, 0, nullptr,
                                                     values, nullptr);
}
