#pragma once

#include <cstdint>

#include "vectors.hpp"

// Lane x of block i adds up column 32 i + x of the shares, always in the same order: each warp takes some shares, and
// then the first warp adds up what the warps have. Several loads of a lane are under way at once, if it has that many.
template <int at_once>
__global__ void add_shares(const float* shares, float* c, int count, int cols) {
  __shared__ float sums[lanes][lanes];
  const int col = blockIdx.x * lanes + threadIdx.x, warps = blockDim.y;
  wait_for_last_kernel();
  float sum = 0;
  for (int first = threadIdx.y; first < count; first += at_once * warps) {
    float read[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      const int share = first + i * warps;
      read[i] = share < count && col < cols ? shares[std::int64_t(share) * cols + col] : 0;
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) sum += read[i];
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || col >= cols) return;
  for (int y = 1; y < warps; ++y) sum += sums[y][threadIdx.x];
  c[col] = sum;
}

// Fewer warps for many columns: of blocks of 32 warps, a multiprocessor holds only two. With them, 400 x 30001
// took 1.08 times as long on an H200. 17 loads at once are all that a lane has for 132 shares. With eight, 600 x 16390
// took 1.04 times as long.
inline void add_up(const float* shares, float* c, int count, int cols) {
  const int blocks = divide_up(cols, lanes);
  if (count <= 1) return;
  if (blocks < multiprocessors())
    launch_next(add_shares<1>, blocks, dim3(lanes, lanes), shares, c, count, cols);
  else
    launch_next(add_shares<17>, blocks, dim3(lanes, 8), shares, c, count, cols);
}
