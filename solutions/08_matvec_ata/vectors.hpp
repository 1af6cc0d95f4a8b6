#pragma once

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>

#include "../device/product_parts.hpp"

// Arithmetic on one element or on four, and what several kernels of the encore share.

constexpr int lanes = 32;

__device__ inline float dot(float a, float b) { return a * b; }
__device__ inline float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__device__ inline float sum_of_product(float sum, float a, float b) { return sum + a * b; }
__device__ inline float4 sum_of_product(float4 sum, float4 a, float b) {
  return make_float4(sum.x + a.x * b, sum.y + a.y * b, sum.z + a.z * b, sum.w + a.w * b);
}

__device__ inline float sum_of(float a, float b) { return a + b; }
__device__ inline float4 sum_of(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

__device__ inline float from_lane(float value, int offset) { return __shfl_xor_sync(0xffffffff, value, offset); }
__device__ inline float4 from_lane(float4 value, int offset) {
  return make_float4(from_lane(value.x, offset), from_lane(value.y, offset), from_lane(value.z, offset),
                     from_lane(value.w, offset));
}

// The sum over `team` neighbouring lanes, in each of them.
template <int team = lanes>
__device__ inline float sum_of_team(float value) {
#pragma unroll
  for (int offset = team / 2; offset > 0; offset /= 2) value += from_lane(value, offset);
  return value;
}

// Some threads, of which this is number `member`, copy floats to shared memory: 16 bytes at a time after the first
// `head`, which are before a boundary in both places.
template <int members>
__device__ void copy_floats(float* to, const float* from, int head, int count, int member) {
  const int vectors = (count - head) / 4, behind = head + 4 * vectors, single = head + count - behind;
  for (int i = member; i < vectors; i += members)
    __pipeline_memcpy_async(to + head + 4 * i, from + head + 4 * i, sizeof(float4));
  if (member < single) {
    const int at = member < head ? member : behind + member - head;
    __pipeline_memcpy_async(to + at, from + at, sizeof(float));
  }
}

struct problem {
  const float *a, *v;
  float *b, *c;
  int rows, cols;
};

__host__ __device__ inline int divide_up(std::int64_t a, std::int64_t b) { return int((a + b - 1) / b); }

// A call's later kernels are launched before the one ahead of them has ended, and call this before they read what that
// one wrote. So a launch takes 1.1 us less on an H200.
__device__ inline void wait_for_last_kernel() { few_tiles::wait_for_zeros(); }

template <class... Parameters, class... Arguments>
void launch_next(void (*kernel)(Parameters...), dim3 grid, dim3 block, Arguments... arguments) {
  few_tiles::launch_kernel(true, kernel, grid, block, 0, arguments...);
}

inline int multiprocessors() {
  int device = 0, count = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

// Device memory for parts of b, kept from call to call as long as no larger problem comes.
inline float* scratch(std::size_t elements) {
  static float* kept = nullptr;
  static std::size_t size = 0;
  if (elements > size) {
    cudaFree(kept);
    size = cudaMalloc(&kept, elements * sizeof(float)) == cudaSuccess ? elements : 0;
  }
  return kept;
}
