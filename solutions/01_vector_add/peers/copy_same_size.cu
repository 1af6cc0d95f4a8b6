// unjudged: it adds nothing; how long do as many bytes take?
#include "lab.hpp"

// A sum reads two arrays and writes one; a copy of one and a half arrays moves as many bytes.
void vector_add(const int* a, const int* b, int* out, int n) {
  const int rest = n / 2;
  cudaMemcpyAsync(out, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
  if (rest > 0) cudaMemcpyAsync(out, b, rest * sizeof(int), cudaMemcpyDeviceToDevice);
}
