#pragma once

#include <cuda_pipeline.h>

// The network, and what all of the encore's kernels need.

constexpr int pixels = 784, hidden = 100, classes = 10;
constexpr int quads = hidden / 4;  // vectors in a row of weights
constexpr int lanes = 32;

struct network {
  const float *w1, *b1, *w2, *b2, *w3, *b3;
};

// Microseconds on an H200: of any launch, and of one block and two on each multiprocessor.
struct times {
  double begin, one, two;

  double of(int blocks) const { return begin + blocks / 2 * two + blocks % 2 * one; }
};

__device__ float4 quad(const float* p) { return *reinterpret_cast<const float4*>(p); }

__device__ void add_to(float4& sum, float4 more) { sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w; }

__device__ void store_relu(float* to, float4 x) {
  *reinterpret_cast<float4*>(to) = make_float4(fmaxf(x.x, 0), fmaxf(x.y, 0), fmaxf(x.z, 0), fmaxf(x.w, 0));
}

// Each of `threads` copies its part of `count` weights, past the registers.
template <int count, int threads>
__device__ void copy(float* to, const float* from, auto thread) {
#pragma unroll
  for (int i = 0; i < count; i += 4 * threads)
    if (const int at = i + 4 * thread; at < count) __pipeline_memcpy_async(to + at, from + at, sizeof(float4));
}
