#include "lab.hpp"

// A thread computes one distance. All points of a block's rows and columns come from L1 or L2.
constexpr int wide = 32, high = 8;

__global__ void distances_kernel(const float* x, const float* y, float* d, int n, int m, int p) {
  const int j = blockIdx.x * wide + threadIdx.x, i = blockIdx.y * high + threadIdx.y;
  if (i >= n || j >= p) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) {
    const float apart = x[k * n + i] - y[k * p + j];
    sum += apart * apart;
  }
  d[i * p + j] = sum;
}

void distances(const float* x, const float* y, float* d, int n, int m, int p) {
  distances_kernel<<<dim3((p - 1) / wide + 1, (n - 1) / high + 1), dim3(wide, high)>>>(x, y, d, n, m, p);
}
