#pragma once

#include <cuda_runtime.h>

#include <type_traits>

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

// Four neighbours in memory at a multiple of their size: as they are there, and as floats.
template <class T>
using four = std::conditional_t<sizeof(T) == sizeof(float), float4, uint2>;

template <class T>
__device__ four<T> four_at(const T* first) {
  return *reinterpret_cast<const four<T>*>(first);
}
__device__ inline float4 as_floats(const float4& floats) { return floats; }
__device__ inline float4 as_floats(const uint2& pairs) {
  return {__uint_as_float(pairs.x << 16), __uint_as_float(pairs.x & 0xffff0000), __uint_as_float(pairs.y << 16),
          __uint_as_float(pairs.y & 0xffff0000)};
}
template <class T>
__device__ float4 joined(const T* elements) {
  return {as_float(elements[0]), as_float(elements[1]), as_float(elements[2]), as_float(elements[3])};
}
template <class T>
__device__ float4 vector_at(const T* first) {
  return as_floats(four_at(first));
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
