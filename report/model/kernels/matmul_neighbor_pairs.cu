#include "lab.hpp"

// A thread owns `high` rows and two neighboring columns of c, and reads the two factors of b as one vector.
constexpr int side = 16, high = 4, depth = 16;
constexpr int rows = side * high, cols = side * 2;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float of_a[rows][depth + 1];
  __shared__ float2 of_b[depth][side];
  const int row = blockIdx.y * rows, col = blockIdx.x * cols, thread = threadIdx.y * side + threadIdx.x;
  float2 sums[high] = {};
  for (int first = 0; first < m; first += depth) {
    for (int t = thread; t < rows * depth; t += side * side) {
      const int r = row + t / depth, k = first + t % depth;
      of_a[t / depth][t % depth] = r < n && k < m ? a[r * m + k] : 0;
    }
    for (int t = thread; t < depth * side; t += side * side) {
      const int k = first + t / side, x = col + t % side * 2;
      const float left = k < m && x < p ? b[k * p + x] : 0, right = k < m && x + 1 < p ? b[k * p + x + 1] : 0;
      of_b[t / side][t % side] = make_float2(left, right);
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k) {
      const float2 two = of_b[k][threadIdx.x];
      for (int t = 0; t < high; ++t) {
        const float one = of_a[threadIdx.y + t * side][k];
        sums[t].x += one * two.x;
        sums[t].y += one * two.y;
      }
    }
    __syncthreads();
  }
  for (int t = 0; t < high; ++t) {
    const int y = row + threadIdx.y + t * side, x = col + threadIdx.x * 2;
    if (y < n && x < p) c[y * p + x] = sums[t].x;
    if (y < n && x + 1 < p) c[y * p + x + 1] = sums[t].y;
  }
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  matmul_kernel<<<dim3((p - 1) / cols + 1, (n - 1) / rows + 1), dim3(side, side)>>>(a, b, c, n, m, p);
}
