#include "lab.hpp"

// A thread owns outputs x outputs distances. A block copies `depth` coordinates of its points to shared memory.
constexpr int side = 16, outputs = 4, depth = 8;
constexpr int tile = side * outputs;

__global__ void distances_kernel(const float* x, const float* y, float* d, int n, int m, int p) {
  __shared__ float of_x[depth][tile], of_y[depth][tile];
  const int i = blockIdx.y * tile, j = blockIdx.x * tile, thread = threadIdx.y * side + threadIdx.x;
  float sums[outputs][outputs] = {};
  for (int first = 0; first < m; first += depth) {
    for (int t = thread; t < depth * tile; t += side * side) {
      const int k = first + t / tile, point = t % tile;
      of_x[t / tile][point] = k < m && i + point < n ? x[k * n + i + point] : 0;
      of_y[t / tile][point] = k < m && j + point < p ? y[k * p + j + point] : 0;
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k)
      for (int t = 0; t < outputs; ++t)
        for (int u = 0; u < outputs; ++u) {
          const float apart = of_x[k][threadIdx.y + t * side] - of_y[k][threadIdx.x + u * side];
          sums[t][u] += apart * apart;
        }
    __syncthreads();
  }
  for (int t = 0; t < outputs; ++t)
    for (int u = 0; u < outputs; ++u) {
      const int row = i + threadIdx.y + t * side, col = j + threadIdx.x + u * side;
      if (row < n && col < p) d[row * p + col] = sums[t][u];
    }
}

void distances(const float* x, const float* y, float* d, int n, int m, int p) {
  const dim3 grid((p - 1) / tile + 1, (n - 1) / tile + 1);
  distances_kernel<<<grid, dim3(side, side)>>>(x, y, d, n, m, p);
}
