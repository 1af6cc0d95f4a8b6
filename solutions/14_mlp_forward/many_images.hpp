#pragma once

#include <cuda_pipeline.h>

#include <cmath>

#include "network.hpp"

// The network for many images, without tensor cores.

// A block computes all outputs of `height` images, from the first layer to the softmax. A thread has 8 x 10 outputs, a
// warp 24 images; `shares` warps have the same images, and each its share of the inputs.
namespace many {

constexpr int threads = 128, block_warps = threads / lanes;
constexpr int depth = 16;  // of a tile, in inputs
constexpr int rows = 8, row_groups = 3, thread_cols = 10, col_groups = 10;
constexpr int blocks_at_once = 3;  // on a multiprocessor that has shared memory for them

template <int rows_of_thread>
using thread_sums = float[rows_of_thread][thread_cols];

__host__ __device__ constexpr int height_for(int shares) { return rows * row_groups * block_warps / shares; }

template <int height>
struct tiles {
  float x[height][depth + 4];  // four more columns: the rows that a warp reads together are in different banks
  float w[depth][hidden];
};

// The hidden layer's outputs take the place of the tiles.
template <int height>
union workplace {
  static constexpr int stages = height <= 24 ? 3 : 2;  // tiles in use or on their way
  tiles<height> stage[stages];
  float outputs[height][hidden + 4];
};

// Images beyond the last are replaced by it; their results are not stored.
// `vectors`: images begin at multiples of 16 bytes; `whole`: so do the weights.
template <bool vectors, bool whole, int height>
__device__ void copy(tiles<height>& to, const float* images, const float* w1, int first, int rows) {
  constexpr int floats = vectors ? 4 : 1, row = depth / floats;  // a row has so many parts to copy at once
  for (int i = threadIdx.x; i < height * row; i += threads)
    __pipeline_memcpy_async(&to.x[i / row][i % row * floats],
                            images + size_t(min(i / row, rows - 1)) * pixels + first + i % row * floats,
                            floats * sizeof(float));
  constexpr int of_w = whole ? 4 : 1;
  for (int i = threadIdx.x; i < depth * hidden / of_w; i += threads)
    __pipeline_memcpy_async(&to.w[0][0] + of_w * i, w1 + first * hidden + of_w * i, of_w * sizeof(float));
}

// The columns of group g are 4 g to 4 g + 3, those behind 40 + 4 g, and two behind 80 + 2 g: vectors, side by side.
__device__ int column(int group, int j) { return j < 8 ? j / 4 * 40 + 4 * group + j % 4 : 80 + 2 * group + j - 8; }

template <bool vectors>
__device__ void load_columns(float (&to)[thread_cols], const float* row, int group) {
  if constexpr (vectors) {
    const float4 a = quad(row + 4 * group), b = quad(row + 40 + 4 * group);
    const float2 c = *reinterpret_cast<const float2*>(row + 80 + 2 * group);
    const float all[thread_cols] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y};
    for (int j = 0; j < thread_cols; ++j) to[j] = all[j];
  } else {
    for (int j = 0; j < thread_cols; ++j) to[j] = row[column(group, j)];
  }
}

// Adds the products of four inputs, x[0] to x[3] of each of the thread's rows, with four rows of the weights.
template <bool vectors>
__device__ void multiply_four(thread_sums<rows>& sums, const float* x, int stride, const float* w, int group) {
  float4 in[rows];
#pragma unroll
  for (int i = 0; i < rows; ++i) in[i] = quad(x + i * row_groups * stride);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float weights[thread_cols];
    load_columns<vectors>(weights, w + k * hidden, group);
#pragma unroll
    for (int i = 0; i < rows; ++i)
#pragma unroll
      for (int j = 0; j < thread_cols; ++j)
        sums[i][j] += (k == 0 ? in[i].x : k == 1 ? in[i].y : k == 2 ? in[i].z : in[i].w) * weights[j];
  }
}

// A thread's place among the images of the block and the outputs.
struct position {
  int share, group, row;
  bool working;

  __device__ position(int shares, int warp = threadIdx.x / lanes, int lane = threadIdx.x % lanes)
      : share{warp % shares},
        group{lane % col_groups},
        row{warp / shares * rows * row_groups + min(lane / col_groups, row_groups - 1)},
        working{lane < row_groups * col_groups} {}
};

// The shares add their sums one after the other; the first adds the bias, the last applies ReLU.
template <int shares, int height>
__device__ void store_outputs(workplace<height>& s, const thread_sums<rows>& sums, const float* bias, position at) {
#pragma unroll
  for (int turn = 0; turn < shares; ++turn) {
    __syncthreads();
    if (at.share != turn || !at.working) continue;
#pragma unroll
    for (int j = 0; j < thread_cols; ++j) {
      const int col = column(at.group, j);
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        float& to = s.outputs[at.row + i * row_groups][col];
        const float sum = sums[i][j] + (turn == 0 ? bias[col] : to);
        to = turn == shares - 1 ? fmaxf(sum, 0) : sum;
      }
    }
  }
  __syncthreads();
}

template <bool vectors, bool whole, int shares>
__global__ void __launch_bounds__(threads, blocks_at_once)
    kernel(const float* __restrict__ images, network n, float* __restrict__ probabilities, int batch) {
  constexpr int height = height_for(shares), steps = pixels / depth, stages = workplace<height>::stages;
  __shared__ __align__(16) workplace<height> s;
  __shared__ float scores[classes][height];
  const position at{shares};
  const int first_image = blockIdx.x * height, images_here = min(height, batch - first_image);
  const float* in = images + size_t(first_image) * pixels;

  for (int i = 0; i < stages - 1; ++i) {
    copy<vectors, whole>(s.stage[i], in, n.w1, i * depth, images_here);
    __pipeline_commit();
  }
  thread_sums<rows> sums = {};
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();  // all copies have arrived, and all threads are done with the tiles before
    const int next = step + stages - 1;
    if (next < steps) copy<vectors, whole>(s.stage[next % stages], in, n.w1, next * depth, images_here);
    __pipeline_commit();
    const auto& tile = s.stage[step % stages];
#pragma unroll
    for (int k = at.share * (depth / shares), i = 0; i < depth / shares; i += 4)
      multiply_four<true>(sums, &tile.x[at.row][k + i], depth + 4, tile.w[k + i], at.group);
  }
  store_outputs<shares>(s, sums, n.b1, at);

  for (auto& row : sums)
    for (float& sum : row) sum = 0;
  for (int k = 4 * at.share; k < hidden; k += 4 * shares)
    multiply_four<whole>(sums, &s.outputs[at.row][k], hidden + 4, n.w2 + k * hidden, at.group);
  store_outputs<shares>(s, sums, n.b2, at);

  for (int i = threadIdx.x; i < height * classes; i += threads) {
    const int row = i % height, label = i / height;
    float score = n.b3[label];
    for (int k = 0; k < hidden; ++k) score += s.outputs[row][k] * n.w3[k * classes + label];
    scores[label][row] = score;
  }
  __syncthreads();
  if (const int row = threadIdx.x; row < images_here) {
    float largest = scores[0][row], sum = 0, powers[classes];
    for (int c = 1; c < classes; ++c) largest = fmaxf(largest, scores[c][row]);
    for (int c = 0; c < classes; ++c) sum += powers[c] = expf(scores[c][row] - largest);
    for (int c = 0; c < classes; ++c) probabilities[size_t(first_image + row) * classes + c] = powers[c] / sum;
  }
}

template <bool vectors, bool whole, int shares>
void launch(const float* images, network n, float* probabilities, int batch) {
  kernel<vectors, whole, shares><<<(batch - 1) / height_for(shares) + 1, threads>>>(images, n, probabilities, batch);
}

// Calls take(times, images of a block, launch) for the forms of the kernel whose weights are whole vectors. The second
// is for fewer images.
template <bool vectors, class F>
void consider_all(const F& take) {
  take({12, 84, 135}, height_for(1), launch<vectors, true, 1>);
  take({10, 49, 73.4}, height_for(2), launch<vectors, true, 2>);
}

}  // namespace many
