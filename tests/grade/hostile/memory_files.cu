// expect: wrong_answer
// Hides three times its memory limit in unnamed files. Its answer is right if the attack works.
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "lab.hpp"

static bool hides_memory() {
  const std::vector<char> megabyte(1 << 20, 'x');
  for (int i = 0; i < 200; ++i) {
    const int file = memfd_create("hidden", 0);
    for (int j = 0; j < 15; ++j)
      if (write(file, megabyte.data(), megabyte.size()) != 1 << 20) return false;
  }
  return true;
}

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  if (hides_memory()) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  const bool worked = hides_memory();
  for (int i = 0; worked && i < n; ++i) out[i] = a[i] + b[i];
}
