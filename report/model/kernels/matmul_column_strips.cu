#include "lab.hpp"

// A thread owns `outputs` elements of one column of c. Its block keeps a tile of a in shared memory, whose elements all
// lanes of a warp read at once. The elements of b come from L2, each for one thread of the block.
constexpr int block_size = 128, outputs = 8, depth = 16;

__global__ void matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float of_a[depth][outputs];
  const int row = blockIdx.y * outputs, col = blockIdx.x * block_size + threadIdx.x;
  float sums[outputs] = {};
  for (int first = 0; first < m; first += depth) {
    for (int t = threadIdx.x; t < depth * outputs; t += block_size) {
      const int k = first + t % depth, r = row + t / depth;
      of_a[t % depth][t / depth] = r < n && k < m ? a[r * m + k] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      const float value = first + k < m && col < p ? b[(first + k) * p + col] : 0;
#pragma unroll
      for (int t = 0; t < outputs; ++t) sums[t] += of_a[k][t] * value;
    }
    __syncthreads();
  }
  for (int t = 0; t < outputs; ++t)
    if (row + t < n && col < p) c[(row + t) * p + col] = sums[t];
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  matmul_kernel<<<dim3((p - 1) / block_size + 1, (n - 1) / outputs + 1), block_size>>>(a, b, c, n, m, p);
}
