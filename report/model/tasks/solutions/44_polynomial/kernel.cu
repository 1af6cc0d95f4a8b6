#include "lab.hpp"

// Horner's rule: each multiply-add waits for the one before.
constexpr int block_size = 256;

__global__ void polynomial_kernel(const float* in, float* out, int n, int degree) {
  const int i = blockIdx.x * block_size + threadIdx.x;
  if (i >= n) return;
  const float x = in[i] / 2;
  float sum = 1;
  for (int k = 0; k < degree; ++k) sum = sum * x + 1;
  out[i] = sum;
}

void polynomial(const float* in, float* out, int n, int degree) {
  polynomial_kernel<<<(n - 1) / block_size + 1, block_size>>>(in, out, n, degree);
}
