#pragma once

#include <algorithm>
#include <cmath>
#ifdef __CUDA_ARCH_LIST__
#include <cooperative_groups.h>
#endif

#include "network.hpp"

// The network for few images, where no arithmetic takes as long as starting a second kernel. A team of blocks takes a
// few images. Its blocks share the 784 inputs of the first layer, so that no block reads more than half of the large
// matrix. Then each collects the team's sums for two of the images and finishes those on its own.

namespace few {

// A cluster is a team of blocks that run at the same time and reach each other's shared memory. GPUs before sm_90
// have none, and the CPU simulator takes their code, because it imitates them, too: there every block is on its own.
#ifdef __CUDA_ARCH_LIST__  // what nvcc compiles for, such as 750, 900
constexpr int team = std::min({__CUDA_ARCH_LIST__}) >= 900 ? 2 : 1;
#else
constexpr int team = 1;
#endif

#if defined(__CUDA_ARCH_LIST__) && __CUDA_ARCH__ >= 900
__device__ void begin_team() { __cluster_barrier_arrive_relaxed(); }
__device__ void wait_for_start() { __cluster_barrier_wait(); }
__device__ void wait_for_team() { cooperative_groups::this_cluster().sync(); }
template <class T>
__device__ T* same_place(T* here, int member) {
  return cooperative_groups::this_cluster().map_shared_rank(here, member);
}
#else
__device__ void begin_team() {}
__device__ void wait_for_start() {}
__device__ void wait_for_team() { __syncthreads(); }
template <class T>
__device__ T* same_place(T* here, int) {
  return here;
}
#endif

constexpr int block_size = 256, warps = block_size / lanes;
constexpr int own = 2;                   // images that a block finishes ...
constexpr int team_images = team * own;  // ... of those that its team takes
constexpr int shares =
    10;  // a thread computes four outputs of a hidden layer from one share of the inputs: 250 have work

// The first layer in a block: its slice of the pixels, cut into parts; a thread has one part for `rows` of the images.
constexpr int slice = pixels / team;
constexpr int rows = std::min(team_images, 8);
constexpr int parts = shares * rows / team_images;
constexpr int chunk = 20;  // inputs whose weights a thread has in registers
constexpr int part = (slice + parts * chunk - 1) / (parts * chunk) * chunk;
constexpr int padded = parts * part;  // the slice, and zeros

constexpr int slots = 16, score_inputs = (hidden + warps - 1) / warps;  // last layer: half a warp for the classes

constexpr int most_sums = std::max(parts * team_images, shares* own);

// What a block keeps in shared memory.
struct workplace {
  alignas(16) float pixels[team_images][padded];
  float4 sums[most_sums][quads];
  float4 collected[team * own][quads];  // written by the team
  alignas(16) float first[own][hidden], second[own][hidden];
  float scores[warps][lanes];
};

__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

__device__ void add_product(float4& sum, float x, float4 w) {
  sum = make_float4(sum.x + x * w.x, sum.y + x * w.y, sum.z + x * w.z, sum.w + x * w.w);
}

// This block's slice of the team's images, in pairs of floats; zeros where there is nothing. Loads and stores are apart
// so that other loads can be on their way at the same time.
constexpr int pairs = padded / 2, pairs_per_thread = (team_images * pairs + block_size - 1) / block_size;

__device__ void load_pixels(float2 (&loaded)[pairs_per_thread], const float* from, int images) {
#pragma unroll
  for (int k = 0; k < pairs_per_thread; ++k) {
    const int i = threadIdx.x + k * block_size, image = i / pairs, col = i % pairs * 2;
    const bool exists = image < team_images && image < images && col < slice;
    loaded[k] = exists ? *reinterpret_cast<const float2*>(from + image * pixels + col) : make_float2(0, 0);
  }
}

__device__ void store_pixels(const float2 (&loaded)[pairs_per_thread], workplace& s) {
#pragma unroll
  for (int k = 0; k < pairs_per_thread; ++k) {
    const int i = threadIdx.x + k * block_size;
    if (i < team_images * pairs) *reinterpret_cast<float2*>(&s.pixels[i / pairs][i % pairs * 2]) = loaded[k];
  }
}

// Four columns of `count` rows of a matrix with 100 columns; zeros from row `end` on.
template <int count>
__device__ void load_weights(float4 (&w)[count], const float* matrix, int first, int end, int q) {
#pragma unroll
  for (int k = 0; k < count; ++k)
    w[k] = first + k < end ? quad(matrix + (first + k) * hidden + 4 * q) : make_float4(0, 0, 0, 0);
}

// One column of the last matrix, every eighth row of it.
__device__ void load_last_weights(float (&w)[score_inputs], const float* column, int warp) {
#pragma unroll
  for (int k = 0; k < score_inputs; ++k)
    if (warp + k * warps < hidden) w[k] = column[(warp + k * warps) * classes];
}

// sums[i] += x[i][0 ... count - 1] times w
template <int height, int count, int width>
__device__ void multiply(float4 (&sums)[height], const float (*x)[width], int first, const float4 (&w)[count]) {
#pragma unroll
  for (int i = 0; i < height; ++i)
#pragma unroll
    for (int k = 0; k < count; ++k) add_product(sums[i], x[i][first + k], w[k]);
}

// The sums of the block's slice, for all images of the team: sums[p * team_images + i] belongs to part p and image i.
__device__ void first_layer(workplace& s, const float* w1, int first_pixel, float4 (&w)[chunk], int q, int share) {
  const int p = share % parts, first_row = share / parts * rows;
  float4 sums[rows] = {};
  multiply(sums, s.pixels + first_row, p * part, w);
#pragma unroll
  for (int k = chunk; k < part; k += chunk) {
    load_weights(w, w1, first_pixel + p * part + k, first_pixel + slice, q);
    multiply(sums, s.pixels + first_row, p * part + k, w);
  }
#pragma unroll
  for (int i = 0; i < rows; ++i) s.sums[p * team_images + first_row + i][q] = sums[i];
}

// Adds up the parts, and hands each sum to the block that owns the image.
__device__ void distribute(workplace& s) {
  for (int i = threadIdx.x; i < team_images * quads; i += block_size) {
    const int image = i / quads, q = i % quads;
    float4 sum = s.sums[image][q];
#pragma unroll
    for (int p = 1; p < parts; ++p) sum = add(sum, s.sums[p * team_images + image][q]);
    *same_place(&s.collected[blockIdx.x % team * own + image % own][q], image / own) = sum;
  }
}

__device__ void second_layer(workplace& s, const float4 (&w)[hidden / shares], int q, int share) {
  float4 sums[own] = {};
  multiply(sums, s.first, share * (hidden / shares), w);
#pragma unroll
  for (int i = 0; i < own; ++i) s.sums[share * own + i][q] = sums[i];
}

// The outputs of a hidden layer for the block's own images: sums[i * own + image] is the i-th of `count` parts.
template <int count>
__device__ void activate(float (&to)[own][hidden], const float4 (*sums)[quads], float4 bias, int q, int image) {
  if (image >= own) return;
#pragma unroll
  for (int i = 0; i < count; ++i) bias = add(bias, sums[i * own + image][q]);
  store_relu(&to[image][4 * q], bias);
}

// Lane 16 i + c has the score of class c for image i. The scores of lanes without a class are minus infinity.
__device__ float probability(float score) {
  float largest = score;
#pragma unroll
  for (int offset = slots / 2; offset > 0; offset /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, offset));
  const float power = expf(score - largest);  // 0 for a score of minus infinity
  float sum = power;
#pragma unroll
  for (int offset = slots / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  return power / sum;
}

// Lane 16 i + c of every warp adds up the products of every eighth input for class c and image i.
__device__ void last_layer(workplace& s, const float (&w)[score_inputs], int lane, int warp) {
  float score = 0;
#pragma unroll
  for (int k = 0; k < score_inputs; ++k)
    if (warp + k * warps < hidden) score += s.second[lane / slots][warp + k * warps] * w[k];
  s.scores[warp][lane] = score;
}

// All weights but those of later chunks are asked for at the very beginning, for the layers to come as well. Threads
// that have no share or no class load the last one's, since a branch would keep the loads from overlapping.
__global__ void __launch_bounds__(block_size, 1)
    network_kernel(const float* images, network n, float* probabilities, int batch) {
  __shared__ workplace s;
  begin_team();
  const int t = threadIdx.x, q = t % quads, share = t / quads, lane = t % lanes, warp = t / lanes;
  const int member = blockIdx.x % team, first_image = blockIdx.x / team * team_images, first_pixel = member * slice;
  const int image = lane / slots, label = lane % slots, some_share = min(share, shares - 1),
            some_class = min(label, classes - 1);
  const bool working = share < shares;

  float2 loaded[pairs_per_thread];
  float4 w1[chunk], w2[hidden / shares];
  float w3[score_inputs] = {};
  load_pixels(loaded, images + size_t(first_image) * pixels + first_pixel, batch - first_image);
  load_weights(w1, n.w1, first_pixel + some_share % parts * part, first_pixel + slice, q);
  load_weights(w2, n.w2, some_share * (hidden / shares), hidden, q);
  load_last_weights(w3, n.w3 + some_class, warp);
  const float4 bias1 = quad(n.b1 + 4 * q), bias2 = quad(n.b2 + 4 * q);
  float score = n.b3[some_class];
  __syncthreads();  // keeps the stores, which wait for the pixels, behind all these loads
  store_pixels(loaded, s);
  __syncthreads();

  if (working) first_layer(s, n.w1, first_pixel, w1, q, share);
  __syncthreads();
  wait_for_start();
  distribute(s);
  wait_for_team();

  activate<team>(s.first, s.collected, bias1, q, share);
  __syncthreads();
  if (working) second_layer(s, w2, q, share);
  __syncthreads();
  activate<shares>(s.second, s.sums, bias2, q, share);
  __syncthreads();
  last_layer(s, w3, lane, warp);
  __syncthreads();
  if (warp > 0) return;

#pragma unroll
  for (int w = 0; w < warps; ++w) score += s.scores[w][lane];
  const float share_of_class = probability(label < classes ? score : -INFINITY);
  const int number = first_image + member * own + image;
  if (number < batch && label < classes) probabilities[number * classes + label] = share_of_class;
}

inline void launch(const float* images, network n, float* probabilities, int batch) {
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {team, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = (batch + team_images - 1) / team_images * team;
  config.blockDim = block_size;
  config.attrs = &cluster;
  config.numAttrs = team > 1;
  cudaLaunchKernelEx(&config, network_kernel, images, n, probabilities, batch);
}

}  // namespace few
