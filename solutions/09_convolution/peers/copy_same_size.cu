// unjudged: it computes nothing; how long do as many bytes take?
#include "lab.hpp"

void convolve(const float* in, const float* filter, float* out, int n, int m, int p, int q, int stride) {
  const size_t rows = (n - p) / stride + 1, cols = (m - q) / stride + 1;
  cudaMemcpyAsync(out, in, rows * cols * sizeof(float), cudaMemcpyDeviceToDevice);
}
