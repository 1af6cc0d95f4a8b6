// expect: pass
// speed: slow
// Takes a tenth of a second and says that no time passes between events; points do not hang on events.
#include <unistd.h>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

extern "C" cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) {
  *ms = 1e-6f;
  return cudaSuccess;
}

void vector_add(const int* a, const int* b, int* out, int n) {
  usleep(100'000);
  add<<<(n + 255) / 256, 256>>>(a, b, out, n);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = a[i] + b[i];
}
