#include "lab.hpp"

// A thread owns high x wide elements of c. Neighboring threads own neighboring columns.
constexpr int side = 16, high = 4, wide = 4, depth = 16;
constexpr int rows = side * high, cols = side * wide;

__global__ void longest_paths_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float of_a[rows][depth + 1], of_b[depth][cols];
  const int x = threadIdx.x % side, y = threadIdx.x / side, row = blockIdx.y * rows, col = blockIdx.x * cols;
  float most[high][wide];
  for (int i = 0; i < high; ++i)
    for (int j = 0; j < wide; ++j) most[i][j] = -1e30f;
  for (int first = 0; first < m; first += depth) {
    for (int t = threadIdx.x; t < rows * depth; t += side * side) {
      const int r = row + t / depth, k = first + t % depth;
      of_a[t / depth][t % depth] = r < n && k < m ? a[r * m + k] : -1e30f;
    }
    for (int t = threadIdx.x; t < depth * cols; t += side * side) {
      const int k = first + t / cols, j = col + t % cols;
      of_b[t / cols][t % cols] = k < m && j < p ? b[k * p + j] : -1e30f;
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k) {
      float from_a[high], from_b[wide];
      for (int i = 0; i < high; ++i) from_a[i] = of_a[y + i * side][k];
      for (int j = 0; j < wide; ++j) from_b[j] = of_b[k][x + j * side];
      for (int i = 0; i < high; ++i)
        for (int j = 0; j < wide; ++j) most[i][j] = fmaxf(most[i][j], from_a[i] + from_b[j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < high; ++i)
    for (int j = 0; j < wide; ++j) {
      const int r = row + y + i * side, q = col + x + j * side;
      if (r < n && q < p) c[r * p + q] = most[i][j];
    }
}

void longest_paths(const float* a, const float* b, float* c, int n, int m, int p) {
  longest_paths_kernel<<<dim3((p - 1) / cols + 1, (n - 1) / rows + 1), side * side>>>(a, b, c, n, m, p);
}
