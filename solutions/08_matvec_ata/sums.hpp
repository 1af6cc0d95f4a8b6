#pragma once

#include "vectors.hpp"

// Several blocks have sums for each element of c, and add them there. A kernel clears c before (launch_zeros), and the
// blocks begin meanwhile. The order of the additions, and so the last bits, may change between runs. When each block
// stored its sums for a last kernel to add up, 850 x 18433 took 1.15 times as long on an H200.

__device__ inline void add_to(float* c, float sum) { atomicAdd(c, sum); }
__device__ inline void add_to(float4* c, float4 sum) {
#if defined(__CUDA_ARCH_LIST__) && __CUDA_ARCH__ >= 900
  atomicAdd(c, sum);
#else
  float* const each = reinterpret_cast<float*>(c);
  atomicAdd(each, sum.x), atomicAdd(each + 1, sum.y), atomicAdd(each + 2, sum.z), atomicAdd(each + 3, sum.w);
#endif
}

// `whole`: the block has all terms of its columns. Then c was not cleared, and the block stores its sums.
template <class Vector>
__device__ void bring_to(Vector* c, Vector sum, bool whole) {
  if (whole)
    *c = sum;
  else
    add_to(c, sum);
}
