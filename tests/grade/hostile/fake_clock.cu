// expect: pass
// speed: slow
// Takes a tenth of a second and stops the clock of its own process; the judge has another.
#include <unistd.h>

#include <ctime>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

extern "C" int clock_gettime(clockid_t, timespec* now) {
  *now = {};
  return 0;
}

void vector_add(const int* a, const int* b, int* out, int n) {
  usleep(100'000);
  add<<<(n + 255) / 256, 256>>>(a, b, out, n);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = a[i] + b[i];
}
