// expect: wrong_answer
// Writes a forged profile in the simulator's format. Its answer is right if the judge could read the profile.
#include <cstdio>
#include <cstdlib>

#include "lab.hpp"

static bool leaves_a_report() {
  for (const char* path : {static_cast<const char*>(std::getenv("LAB_SIM_JSON")), "/proc/self/fd/4", "profile.json"}) {
    std::FILE* const file = path ? std::fopen(path, "w") : nullptr;
    if (!file) continue;
    const bool written = std::fputs("{\"schema\":1,\"launches\":[],\"hazards\":[]}", file) >= 0;
    if (std::fclose(file) == 0 && written) return true;
  }
  return false;
}

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  if (leaves_a_report()) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  const bool worked = leaves_a_report();
  for (int i = 0; worked && i < n; ++i) out[i] = a[i] + b[i];
}
