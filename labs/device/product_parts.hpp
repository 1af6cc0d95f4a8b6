#pragma once

#include <cuda_runtime.h>

// What the kernels of few_tiles.hpp and thin_products.hpp share: the sizes of a product, a block's part of it, and how
// elements are read and stored.
namespace few_tiles {

constexpr int depth = 16;  // of the small tiles along the common dimension; parts of it are multiples of this

__host__ __device__ constexpr int divided(int a, int b) { return (a - 1) / b + 1; }

struct shape {
  int n, m, p;  // a has n x m elements, b m x p, c n x p
};

// The part of the common dimension for the blocks with one blockIdx.z; `length` of them each.
struct part {
  int first, end;

  __device__ part(int length, int m) : first(blockIdx.z * length), end(min(m, first + length)) {}
};

// Several blocks add to an element of c, which was zero before.
__device__ inline void give(float* to, float sum) {
  if (gridDim.z > 1)
    atomicAdd(to, sum);
  else
    *to = sum;
}

__device__ inline float as_float(float x) { return x; }
__device__ inline float as_float(unsigned short bf16) { return __uint_as_float(unsigned(bf16) << 16); }

// Four neighbours in memory at a multiple of their size.
__device__ inline float4 vector_at(const float* four) { return *reinterpret_cast<const float4*>(four); }
__device__ inline float4 vector_at(const unsigned short* four) {
  const uint2 pairs = *reinterpret_cast<const uint2*>(four);
  return {__uint_as_float(pairs.x << 16), __uint_as_float(pairs.x & 0xffff0000), __uint_as_float(pairs.y << 16),
          __uint_as_float(pairs.y & 0xffff0000)};
}

// Four neighbours of a row; zeros from column `end` on. Where all rows are whole vectors, one load.
template <bool vectors, class T>
__device__ float4 load_four(const T* row, int col, int end) {
  if (vectors) return col < end ? vector_at(row + col) : float4{};
  float four[4] = {};
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (col + i < end) four[i] = as_float(row[col + i]);
  return {four[0], four[1], four[2], four[3]};
}

inline int multiprocessors() {
  static const int count = [] {
    int device = 0, found = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, device);
    return found;
  }();
  return count;
}

/// How many of the common dimension's elements each of `splits` blocks gets: whole tiles.
inline int length_for(int splits, int m) { return divided(divided(m, splits), depth) * depth; }

/// Fills c with zeros if several blocks will add to it.
inline void prepare(float* c, int splits, const shape& s) {
  if (splits > 1) cudaMemsetAsync(c, 0, sizeof(float) * s.n * s.p, 0);
}

}  // namespace few_tiles
