#include "lab.hpp"

// A block copies the other points to shared memory, one tile after another. A thread owns several points.
constexpr int block_size = 128, points = 2;

__global__ void nearest_kernel(const float* x, const float* y, const float* to_x, const float* to_y, float* out, int n,
                               int m) {
  __shared__ float of_x[block_size], of_y[block_size];
  const int t = threadIdx.x, begin = blockIdx.x * block_size * points + t;
  float my_x[points], my_y[points], least[points];
  for (int k = 0; k < points; ++k) {
    const int i = begin + k * block_size;
    my_x[k] = i < n ? x[i] : 0;
    my_y[k] = i < n ? y[i] : 0;
    least[k] = 1e30f;
  }
  for (int first = 0; first < m; first += block_size) {
    of_x[t] = first + t < m ? to_x[first + t] : 1e10f;
    of_y[t] = first + t < m ? to_y[first + t] : 1e10f;
    __syncthreads();
    for (int j = 0; j < block_size; ++j)
      for (int k = 0; k < points; ++k) {
        const float dx = my_x[k] - of_x[j], dy = my_y[k] - of_y[j];
        least[k] = fminf(least[k], dx * dx + dy * dy);
      }
    __syncthreads();
  }
  for (int k = 0; k < points; ++k)
    if (begin + k * block_size < n) out[begin + k * block_size] = least[k];
}

void nearest(const float* x, const float* y, const float* to_x, const float* to_y, float* out, int n, int m) {
  nearest_kernel<<<(n - 1) / (block_size * points) + 1, block_size>>>(x, y, to_x, to_y, out, n, m);
}
