#include "lab.hpp"

// A block computes a tile of c from two strips of columns of a, one tile of rows after another.
constexpr int tile = 16;

__global__ void gram_kernel(const float* a, float* c, int rows, int cols) {
  __shared__ float left[tile][tile], right[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * tile, j = blockIdx.x * tile;
  float sum = 0;
  for (int first = 0; first < rows; first += tile) {
    const int k = first + y;
    left[y][x] = k < rows && i + x < cols ? a[k * cols + i + x] : 0;
    right[y][x] = k < rows && j + x < cols ? a[k * cols + j + x] : 0;
    __syncthreads();
    for (int t = 0; t < tile; ++t) sum += left[t][y] * right[t][x];
    __syncthreads();
  }
  if (i + y < cols && j + x < cols) c[(i + y) * cols + j + x] = sum;
}

void gram(const float* a, float* c, int rows, int cols) {
  const int tiles = (cols + tile - 1) / tile;
  gram_kernel<<<dim3(tiles, tiles), dim3(tile, tile)>>>(a, c, rows, cols);
}
