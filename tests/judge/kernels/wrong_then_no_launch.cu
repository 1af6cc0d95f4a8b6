#include "lab.hpp"

__global__ void twice_kernel(const int* in, int* out, int n) {}

// Never right: its calls write nothing, or are no launch at all.
void twice(const int* in, int* out, int n) {
  static int calls = 0;
  twice_kernel<<<1, ++calls % 3 == 0 ? 2048 : 256>>>(in, out, n);
}
