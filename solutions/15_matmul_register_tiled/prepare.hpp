#pragma once

#include "../device/product_parts.hpp"

// One launch prepares all that TMA needs: a transposed, and zeros where several blocks will add their sums. Two
// launches would wait for each other: 1.03 times as long at 799 x 2907 x 520 on an H100.
namespace large_tiles::bulk {

constexpr int side = 32, copiers = 256;  // a block transposes a tile of 32 x 32 elements, with so many threads
constexpr int each = 4;                  // zeros that a thread writes

struct preparation {
  const float* a;  // n x m
  float* turned;   // m rows of `height` elements, zeros beyond the n
  int n, m, height;
  float* zeroed;  // so many elements
  size_t zeros;

  __host__ __device__ size_t blocks_of_a() const {
    return size_t(few_tiles::divided(m, side)) * few_tiles::divided(height, side);
  }
  __host__ __device__ size_t blocks() const { return blocks_of_a() + (zeros + each * copiers - 1) / (each * copiers); }
};

__device__ inline void turn(const preparation& s, size_t block) {
  __shared__ float tile[side][side + 1];
  const int across = few_tiles::divided(s.m, side), x = threadIdx.x % side;
  const int row = block / across * side, first = block % across * side;
  for (int i = threadIdx.x / side; i < side; i += copiers / side)
    tile[i][x] = row + i < s.n && first + x < s.m ? s.a[size_t(row + i) * s.m + first + x] : 0;
  __syncthreads();
  for (int i = threadIdx.x / side; i < side; i += copiers / side)
    if (first + i < s.m && row + x < s.height) s.turned[size_t(first + i) * s.height + row + x] = tile[x][i];
}

static __global__ void __launch_bounds__(copiers) prepare_kernel(preparation s) {
  size_t block = blockIdx.x;
  if (block < s.blocks_of_a()) return turn(s, block);
  block -= s.blocks_of_a();
#pragma unroll
  for (int j = 0; j < each; ++j) {
    const size_t i = (block * each + j) * copiers + threadIdx.x;
    if (i < s.zeros) s.zeroed[i] = 0;
  }
}

}  // namespace large_tiles::bulk
