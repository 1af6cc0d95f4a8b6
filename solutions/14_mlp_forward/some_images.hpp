#pragma once

#include <cmath>

#include "many_images.hpp"

// The network for some images, where a block of many_images.hpp on each multiprocessor would have too few warps.
// A block computes all outputs of 3 x `rows` images, from the first layer to the softmax. Each of its warps computes
// the sums of all of these images and outputs along its share of the inputs; a thread has `rows` x 10 sums. A warp
// copies for itself what it needs, so that no warp waits for another until the sums of all are added.
namespace some {

using many::col_groups, many::load_columns, many::row_groups, many::thread_cols;

constexpr int depth = 8, steps = pixels / depth;  // a step of a warp: so many inputs, a sector of each image
constexpr int stages = 3;                         // steps in use or on their way

__host__ __device__ constexpr int height_for(int rows) { return rows * row_groups; }

using many::thread_sums;

template <int height>
struct step {
  float w[depth][hidden], x[height][depth];
};

// What a block keeps in shared memory. The warps' sums take the place of their steps.
template <int rows, int warps>
struct workplace {
  static constexpr int height = height_for(rows);
  union of_warp {
    step<height> ring[stages];
    float sums[height][hidden];
  };
  of_warp own[warps];
  float outputs[height][hidden];
  float b1[hidden], b2[hidden], w3[hidden * classes];
  float scores[height][classes];
};

// A block's last images may lie beyond the end. Then the last image is copied in their place, and their results are not
// stored. `vectors`: images begin at multiples of 16 bytes, as all weights do.
template <bool vectors, int height>
__device__ void copy_step(step<height>& to, const float* in, int images, const float* w1, int number, int lane) {
  constexpr int floats = vectors ? 4 : 1, row = depth / floats, count = height * row;
  copy<depth * hidden, lanes>(&to.w[0][0], w1 + number * depth * hidden, lane);
#pragma unroll
  for (int i = 0; i < count; i += lanes) {
    const int at = i + lane, image = at / row, k = at % row * floats;
    if (at < count)
      __pipeline_memcpy_async(&to.x[image][k], in + min(image, images - 1) * pixels + number * depth + k,
                              floats * sizeof(float));
  }
}

template <int rows>
__device__ void add_products(thread_sums<rows>& sums, const float (&x)[rows], const float (&w)[thread_cols]) {
#pragma unroll
  for (int j = 0; j < thread_cols; ++j)
#pragma unroll
    for (int step = 0; step < rows; ++step) {
      const int i = j % 2 ? rows - 1 - step : step;  // down a column of sums, up the next
      sums[i][j] += x[i] * w[j];
    }
}

// Adds the products of a step. Two inputs of a row at a time: four would take more registers than a thread has.
template <int rows, int height>
__device__ void multiply(thread_sums<rows>& sums, const step<height>& from, int row, int group) {
#pragma unroll
  for (int k = 0; k < depth; k += 2) {
    float first[rows], second[rows], w[thread_cols];
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const float2 x = *reinterpret_cast<const float2*>(&from.x[row + i * row_groups][k]);
      first[i] = x.x, second[i] = x.y;
    }
    load_columns<true>(w, from.w[k], group);
    add_products<rows>(sums, first, w);
    load_columns<true>(w, from.w[k + 1], group);
    add_products<rows>(sums, second, w);
  }
}

// Multiplies by `one`, which is 1. The compiler does not know that, so the sums need not be in neighbouring registers
// all through the loop, as vectors are that are stored.
template <int rows, int height>
__device__ void store_sums(float (&to)[height][hidden], const thread_sums<rows>& sums, int row, int group, float one) {
#pragma unroll
  for (int i = 0; i < rows; ++i) {
    float* at = to[row + i * row_groups];
    float s[thread_cols];
#pragma unroll
    for (int j = 0; j < thread_cols; ++j) s[j] = sums[i][j] * one;
    *reinterpret_cast<float4*>(at + 4 * group) = {s[0], s[1], s[2], s[3]};
    *reinterpret_cast<float4*>(at + 40 + 4 * group) = {s[4], s[5], s[6], s[7]};
    *reinterpret_cast<float2*>(at + 80 + 2 * group) = {s[8], s[9]};
  }
}

// Adds up the warps' sums, the bias, and applies ReLU.
template <int rows, int warps>
__device__ void add_up(workplace<rows, warps>& s, const float* bias) {
  __syncthreads();
  for (int i = threadIdx.x; i < height_for(rows) * quads; i += warps * lanes) {
    const int row = i / quads, col = i % quads * 4;
    float4 sum = quad(bias + col);
#pragma unroll
    for (int w = 0; w < warps; ++w) add_to(sum, quad(&s.own[w].sums[row][col]));
    store_relu(&s.outputs[row][col], sum);
  }
  __syncthreads();
}

// Loads the second layer's weights of three inputs of this warp. The first are loaded before the outputs of the first
// layer are complete, so that they wait for L2 meanwhile.
constexpr int inputs_at_once = 3;
template <int warps>
__device__ void load_second(float (&w)[inputs_at_once][thread_cols], const float* w2, int begin, int warp, int group) {
#pragma unroll
  for (int i = 0; i < inputs_at_once; ++i)
    load_columns<true>(w[i], w2 + min(begin + warp + i * warps, hidden - 1) * hidden, group);
}

template <bool vectors, int rows, int warps>
__global__ void __launch_bounds__(warps* lanes, 2)
    kernel(const float* __restrict__ images, network n, float* __restrict__ probabilities, int batch, float one) {
  constexpr int height = height_for(rows), threads = warps * lanes;
  extern __shared__ float4 memory[];
  auto& s = *reinterpret_cast<workplace<rows, warps>*>(memory);
  const int warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const int group = lane % col_groups, row = min(lane / col_groups, row_groups - 1);
  const bool working = lane < row_groups * col_groups;
  const int first_image = blockIdx.x * height, images_here = min(height, batch - first_image);
  const float* in = images + size_t(first_image) * pixels;
  auto& ring = s.own[warp].ring;

#pragma unroll
  for (int i = 0; i < stages - 1; ++i) {
    copy_step<vectors>(ring[i], in, images_here, n.w1, warp + i * warps, lane);
    __pipeline_commit();
  }
  thread_sums<rows> sums = {};
  int stage = 0;
  for (int number = warp; number < steps; number += warps) {
    const int next = number + (stages - 1) * warps, free = stage == 0 ? stages - 1 : stage - 1;
    __pipeline_wait_prior(stages - 2);
    __syncwarp();  // all lanes' parts have come, and all are done with the step before
    if (next < steps) copy_step<vectors>(ring[free], in, images_here, n.w1, next, lane);
    if (number == warp) {  // by now, the first steps are on their way
      if (warp == 0) copy<hidden, lanes>(s.b1, n.b1, lane), copy<hidden, lanes>(s.b2, n.b2, lane);
      copy<hidden * classes, threads>(s.w3, n.w3, int(threadIdx.x));
    }
    __pipeline_commit();
    multiply<rows>(sums, ring[stage], row, group);
    if (++stage == stages) stage = 0;
  }
  __pipeline_wait_prior(0);
  __syncwarp();
  if (working) store_sums<rows>(s.own[warp].sums, sums, row, group, one);
  float w[inputs_at_once][thread_cols];
  load_second<warps>(w, n.w2, 0, warp, group);
  add_up(s, s.b1);

#pragma unroll
  for (auto& of_row : sums)
#pragma unroll
    for (float& sum : of_row) sum = 0;
#pragma unroll 1
  for (int begin = 0; begin < hidden; begin += inputs_at_once * warps) {
    if (begin > 0) load_second<warps>(w, n.w2, begin, warp, group);
#pragma unroll
    for (int i = 0; i < inputs_at_once; ++i) {
      const int k = begin + warp + i * warps;
      float x[rows];
#pragma unroll
      for (int r = 0; r < rows; ++r) x[r] = k < hidden ? s.outputs[row + r * row_groups][k] : 0;
      add_products<rows>(sums, x, w[i]);
    }
  }
  if (working) store_sums<rows>(s.own[warp].sums, sums, row, group, one);
  add_up(s, s.b2);

  // Four threads share a score.
  for (int i = threadIdx.x; i < (height * classes * 4 + lanes - 1) / lanes * lanes; i += threads) {
    const int part = i % 4, label = i / 4 % classes, r = min(i / 4 / classes, height - 1);
    float score = 0;
#pragma unroll
    for (int k = 0; k < hidden; k += 4) score += s.outputs[r][k + part] * s.w3[(k + part) * classes + label];
    score += __shfl_xor_sync(0xffffffff, score, 1);
    score += __shfl_xor_sync(0xffffffff, score, 2);
    if (part == 0 && i < height * classes * 4) s.scores[r][label] = score;
  }
  const float* b3 = n.b3;
  float bias[classes];
  if (threadIdx.x < height)
    for (int c = 0; c < classes; ++c) bias[c] = b3[c];
  __syncthreads();
  if (const int r = threadIdx.x; r < images_here) {
    float powers[classes], sum = 0, largest = -INFINITY;
    for (int c = 0; c < classes; ++c) powers[c] = s.scores[r][c] + bias[c], largest = fmaxf(largest, powers[c]);
    for (int c = 0; c < classes; ++c) sum += powers[c] = expf(powers[c] - largest);
    for (int c = 0; c < classes; ++c) probabilities[size_t(first_image + r) * classes + c] = powers[c] / sum;
  }
}

template <int rows>
constexpr int warps_for = rows > 6 ? 6 : 8;  // with more, a thread would have too few registers for its sums

template <bool vectors, int rows>
void launch(const float* images, network n, float* probabilities, int batch) {
  constexpr int warps = warps_for<rows>, bytes = sizeof(workplace<rows, warps>);
  cudaFuncSetAttribute(kernel<vectors, rows, warps>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<vectors, rows, warps>
      <<<(batch - 1) / height_for(rows) + 1, warps * lanes, bytes>>>(images, n, probabilities, batch, 1);
}

// Calls take(times, images of a block, launch) for a form, unless the GPU has too little shared memory.
template <bool vectors, int rows, class F>
void consider(int most_shared, const F& take, const times& measured) {
  if (most_shared >= int(sizeof(workplace<rows, warps_for<rows>>)))
    take(measured, height_for(rows), launch<vectors, rows>);
}

template <bool vectors, class F>
void consider_all(int most_shared, const F& take) {
  consider<vectors, 4>(most_shared, take, {2.9, 13, 23});
  consider<vectors, 5>(most_shared, take, {4.5, 14.3, 26.9});
  consider<vectors, 6>(most_shared, take, {3.6, 18.9, 33.5});
  consider<vectors, 8>(most_shared, take, {3.6, 26.6, 37.9});
}

}  // namespace some
