#include "lab.hpp"

// A thread owns high x wide elements of c, and reads its factors from shared memory.
constexpr int side = 16, high = 4, wide = 4, depth = 8;

__global__ void gram_kernel(const float* a, float* c, int rows, int cols) {
  __shared__ float left[depth][side * high], right[depth][side * wide];
  const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * side * high, j = blockIdx.x * side * wide;
  float sums[high][wide] = {};
  for (int first = 0; first < rows; first += depth) {
    for (int k = y; k < depth; k += side) {
      for (int t = x; t < side * high; t += side)
        left[k][t] = first + k < rows && i + t < cols ? a[(first + k) * cols + i + t] : 0;
      for (int t = x; t < side * wide; t += side)
        right[k][t] = first + k < rows && j + t < cols ? a[(first + k) * cols + j + t] : 0;
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k) {
      float of_left[high], of_right[wide];
      for (int t = 0; t < high; ++t) of_left[t] = left[k][y * high + t];
      for (int t = 0; t < wide; ++t) of_right[t] = right[k][x + t * side];
      for (int t = 0; t < high; ++t)
        for (int u = 0; u < wide; ++u) sums[t][u] += of_left[t] * of_right[u];
    }
    __syncthreads();
  }
  for (int t = 0; t < high; ++t)
    for (int u = 0; u < wide; ++u) {
      const int row = i + y * high + t, col = j + x + u * side;
      if (row < cols && col < cols) c[row * cols + col] = sums[t][u];
    }
}

void gram(const float* a, float* c, int rows, int cols) {
  const dim3 grid((cols - 1) / (side * wide) + 1, (cols - 1) / (side * high) + 1);
  gram_kernel<<<grid, dim3(side, side)>>>(a, c, rows, cols);
}
