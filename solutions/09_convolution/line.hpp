#pragma once

#include <cstdint>

#include "lab.hpp"

// One dimension: a thread computes four neighbouring outputs. It keeps eight inputs in registers and moves on by four,
// so that one load serves sixteen products. What the threads of a block load twice comes from L1.
namespace line {

constexpr int threads = 256, outputs = 4;

// Four inputs, of which those beyond the end are 0. `aligned`: the array begins at a multiple of four floats.
template <bool aligned>
__device__ float4 load(const float* in, std::int64_t i, int n) {
  if (aligned && i + outputs <= n) return *reinterpret_cast<const float4*>(in + i);
  return make_float4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0,
                     i + 3 < n ? in[i + 3] : 0);
}

__device__ inline void multiply(float (&sum)[outputs], float weight, float a, float b, float c, float d) {
  sum[0] += weight * a;
  sum[1] += weight * b;
  sum[2] += weight * c;
  sum[3] += weight * d;
}

template <bool aligned>
__global__ void __launch_bounds__(threads) convolve(const float* in, const float* filter, float* out, int n, int p) {
  __shared__ float weights[longest_filter];
  if (threadIdx.x < p) weights[threadIdx.x] = filter[threadIdx.x];
  __syncthreads();
  const std::int64_t i = (std::int64_t(blockIdx.x) * threads + threadIdx.x) * outputs;
  const int count = n - p + 1;
  if (i >= count) return;

  float sum[outputs] = {};
  float4 now = load<aligned>(in, i, n);
  for (int u = 0; u < p; u += outputs) {
    const float4 next = load<aligned>(in, i + u + outputs, n);
    multiply(sum, weights[u], now.x, now.y, now.z, now.w);
    if (u + 1 < p) multiply(sum, weights[u + 1], now.y, now.z, now.w, next.x);
    if (u + 2 < p) multiply(sum, weights[u + 2], now.z, now.w, next.x, next.y);
    if (u + 3 < p) multiply(sum, weights[u + 3], now.w, next.x, next.y, next.z);
    now = next;
  }
  if (aligned && i + outputs <= count) {
    *reinterpret_cast<float4*>(out + i) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    return;
  }
#pragma unroll
  for (int k = 0; k < outputs; ++k)
    if (i + k < count) out[i + k] = sum[k];
}

template <bool aligned>
void launch(const float* in, const float* filter, float* out, int n, int p) {
  convolve<aligned><<<(n - p) / (threads * outputs) + 1, threads>>>(in, filter, out, n, p);
}

}  // namespace line
