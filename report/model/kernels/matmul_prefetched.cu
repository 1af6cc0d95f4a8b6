#include "lab.hpp"

// A thread owns outputs x outputs elements of c. While its block multiplies a pair of tiles, the thread's elements of
// the next pair come to registers.
constexpr int side = 16, outputs = 4, depth = 16;
constexpr int tile = side * outputs, each = tile * depth / (side * side);

__device__ void load(float (&to)[each], const float* matrix, int height, int width, int row, int col, int wide) {
#pragma unroll
  for (int t = 0; t < each; ++t) {
    const int at = (threadIdx.y * side + threadIdx.x) + t * side * side, r = row + at / wide, c = col + at % wide;
    to[t] = r < height && c < width ? matrix[r * width + c] : 0;
  }
}

__global__ void matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float of_a[depth][tile + 1], of_b[depth][tile];
  const int row = blockIdx.y * tile, col = blockIdx.x * tile, thread = threadIdx.y * side + threadIdx.x;
  float sums[outputs][outputs] = {}, next_a[each], next_b[each];
  load(next_a, a, n, m, row, 0, depth);
  load(next_b, b, m, p, 0, col, tile);
  for (int first = 0; first < m; first += depth) {
#pragma unroll
    for (int t = 0; t < each; ++t) {
      const int at = thread + t * side * side;
      of_a[at % depth][at / depth] = next_a[t];
      of_b[at / tile][at % tile] = next_b[t];
    }
    __syncthreads();
    load(next_a, a, n, m, row, first + depth, depth);
    load(next_b, b, m, p, first + depth, col, tile);
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float from_a[outputs], from_b[outputs];
      for (int t = 0; t < outputs; ++t) from_a[t] = of_a[k][threadIdx.y + t * side];
      for (int t = 0; t < outputs; ++t) from_b[t] = of_b[k][threadIdx.x + t * side];
      for (int t = 0; t < outputs; ++t)
        for (int u = 0; u < outputs; ++u) sums[t][u] += from_a[t] * from_b[u];
    }
    __syncthreads();
  }
  for (int t = 0; t < outputs; ++t)
    for (int u = 0; u < outputs; ++u) {
      const int y = row + threadIdx.y + t * side, x = col + threadIdx.x + u * side;
      if (y < n && x < p) c[y * p + x] = sums[t][u];
    }
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const dim3 grid((p - 1) / tile + 1, (n - 1) / tile + 1);
  matmul_kernel<<<grid, dim3(side, side)>>>(a, b, c, n, m, p);
}
