#pragma once

#include "vectors.hpp"

// Several blocks have sums for each element of c, and add them there. A kernel clears c before, and the blocks begin
// meanwhile. The order of the additions, and so the last bits, may change between runs. When each block stored its sums
// for a last kernel to add up, 850 x 18433 took 1.15 times as long on an H200.

__global__ void clear(float* c, int cols) {
  let_next_kernel_begin();
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col < cols) c[col] = 0;
}

/// The first kernel of a call that adds to c.
inline void launch_clear(float* c, int cols) {
  constexpr int threads = 256;
  clear<<<divide_up(cols, threads), threads>>>(c, cols);
}

__device__ inline void add_to(float* c, float sum) { atomicAdd(c, sum); }
__device__ inline void add_to(float4* c, float4 sum) {
#if defined(__CUDA_ARCH_LIST__) && __CUDA_ARCH__ >= 900
  atomicAdd(c, sum);
#else
  float* const each = reinterpret_cast<float*>(c);
  atomicAdd(each, sum.x), atomicAdd(each + 1, sum.y), atomicAdd(each + 2, sum.z), atomicAdd(each + 3, sum.w);
#endif
}

// A block that has all terms of its columns stores its sums: nobody has cleared c.
template <class Vector>
__device__ void bring_to(Vector* c, Vector sum, bool whole) {
  if (whole)
    *c = sum;
  else
    add_to(c, sum);
}
