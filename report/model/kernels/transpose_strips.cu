#include "lab.hpp"

// A warp of a block transposes a strip of 32 columns: it loads rows and stores them through a padded tile of its own.
constexpr int lanes = 32;
constexpr int warps = 2;

__global__ void strip_kernel(const int* in, int* out, int rows, int cols) {
  __shared__ int tiles[warps][lanes][lanes + 1];
  auto& tile = tiles[threadIdx.y];
  const int left = blockIdx.x * lanes, top = (blockIdx.y * warps + threadIdx.y) * lanes;
  const int lane = threadIdx.x;
  for (int i = 0; i < lanes; ++i)
    if (top + i < rows && left + lane < cols) tile[i][lane] = in[(top + i) * cols + left + lane];
  __syncthreads();
  for (int i = 0; i < lanes; ++i)
    if (left + i < cols && top + lane < rows) out[(left + i) * rows + top + lane] = tile[lane][i];
}

void transpose(const int* in, int* out, int rows, int cols) {
  const dim3 block(lanes, warps);
  const dim3 grid((cols + lanes - 1) / lanes, (rows + lanes * warps - 1) / (lanes * warps));
  strip_kernel<<<grid, block>>>(in, out, rows, cols);
}
