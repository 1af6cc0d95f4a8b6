#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>

#include "clusters.hpp"
#include "sums.hpp"
#include "vectors.hpp"

// For rows that no block can hold in its registers. Registers hold v and c alone. The rows pass through shared memory
// as they lie in memory, vector by vector, so each begins up to three floats after a boundary. A cluster of two blocks
// shares the widest: each block has a slice of the columns, and both need the sum of their products with v.
namespace wide {

constexpr int threads = 512, warps = threads / lanes, shared_kbytes = 224;

// A slice of a row among the vectors of memory.
struct slice_in_vectors {
  const float* begin;
  int head, cols;  // floats before the first whole vector, and all

  __device__ slice_in_vectors(const float* begin, int cols)
      : begin{begin},
        head{min(int(-(reinterpret_cast<std::uintptr_t>(begin) / sizeof(float)) % 4), cols)},
        cols{cols} {}

  // Where the first float lies after the boundary before it.
  __device__ int shift() const { return (4 - head) % 4; }
};

__device__ inline void fetch(float* to, const slice_in_vectors& slice) {
  copy_floats<threads>(to + slice.shift(), slice.begin, slice.head, slice.cols, threadIdx.x);
}

// Each warp tells its part of a sum over the threads of a cluster to every block.
template <int blocks>
__device__ void tell(float mine, float (&parts)[blocks * warps]) {
  const int lane = threadIdx.x % lanes, place = rank_in<blocks>() * warps + threadIdx.x / lanes;
  mine = sum_of_team(mine);
  if (lane < blocks) *same_place<blocks>(&parts[place], lane) = mine;
}

template <int count>
__device__ float sum_of_parts(const float (&parts)[count]) {
  const int lane = threadIdx.x % lanes;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < count; i += lanes)
    if (i + lane < count) sum += parts[i + lane];
  return sum_of_team(sum);
}

// Cluster i takes rows i, i + clusters ... While it computes, the next rows are on their way. With room for more than
// two, a row is added only while the blocks tell each other their parts of the next row's element of b.
template <int width, int stages, int blocks>
__global__ void __launch_bounds__(threads)
    products(const float* a, const float* v, float* b, float* c, int rows, int cols) {
  constexpr int pitch = width * threads + 4;
  constexpr int late = stages > 2;  // rows that wait to be added to c
  // From registers the sums take less time: 0.88 times at 363 x 18433 on an H200. But of many, addresses take registers
  // from the loop: 1.25 times at 2200 x 50001.
  constexpr bool through_memory = width > 48 || blocks > 1;
  extern __shared__ float4 dynamic[];
  __shared__ float parts[2][blocks * warps];
  float* const staged = reinterpret_cast<float*>(dynamic);
  const int slice = (cols + blocks - 1) / blocks, begin = rank_in<blocks>() * slice, mine = min(slice, cols - begin);
  const int own = blockIdx.x / blocks, step = gridDim.x / blocks;
  float factor[width], share[width] = {};
#pragma unroll
  for (int k = 0; k < width; ++k) {
    const int col = threadIdx.x + k * threads;
    factor[k] = col < mine ? v[begin + col] : 0;
  }

  const auto slice_of = [&](int row) { return slice_in_vectors{a + std::int64_t(row) * cols + begin, mine}; };
  int next = own, into = 0, from = 0, turn = 0;
  const auto fetch_next = [&] {
    if (next < rows) fetch(staged + into * pitch, slice_of(next));
    __pipeline_commit();
    next += step;
    into = into + 1 < stages ? into + 1 : 0;
  };
  const auto at = [&](const float* row, int k) {
    const int col = threadIdx.x + k * threads;
    return col < mine ? row[col] : 0;
  };
  const float* last = staged;  // the last row, and its element of b
  float product = 0;
  const auto add_last = [&] {
#pragma unroll
    for (int k = 0; k < width; ++k) share[k] += at(last, k) * product;
  };
#pragma unroll
  for (int s = 1; s < stages - late; ++s) fetch_next();
  arrive<blocks>();  // what others tell a block comes after it has begun
  wait<blocks>();
  for (int row = own; row < rows; row += step, turn ^= 1) {
    __pipeline_wait_prior(stages - late - 2);
    __syncthreads();  // the row is there, and no thread needs the one whose place is free
    fetch_next();
    const float* const here = staged + from * pitch + slice_of(row).shift();
    from = from + 1 < stages ? from + 1 : 0;
    float part = 0;
#pragma unroll
    for (int k = 0; k < width; ++k) part += at(here, k) * factor[k];
    tell<blocks>(part, parts[turn]);
    arrive<blocks>();
    if (late && row > own) add_last();
    wait<blocks>();
    last = here, product = sum_of_parts(parts[turn]);
    if (!late) add_last();
    if (threadIdx.x == 0 && begin == 0) b[row] = product;
  }
  if (late) add_last();
  wait_for_last_kernel();
  if constexpr (through_memory) {
    __syncthreads();  // no thread needs the rows any longer
#pragma unroll
    for (int k = 0; k < width; ++k) staged[threadIdx.x + k * threads] = share[k];
    for (int col = threadIdx.x; col < mine; col += threads) add_to(c + begin + col, staged[col]);
  } else {
#pragma unroll
    for (int k = 0; k < width; ++k)
      if (const int col = threadIdx.x + k * threads; col < mine) add_to(c + begin + col, share[k]);
  }
}

// Whether the device has enough shared memory.
template <int width, int blocks>
bool launch(const problem& x) {
  constexpr int row_bytes = (width * threads + 4) * sizeof(float);
  constexpr int stages = std::min(4, shared_kbytes * 1024 / row_bytes);
  constexpr cluster_shape shape{blocks, threads, stages * row_bytes};
  constexpr auto kernel = products<width, stages, blocks>;
  const int clusters = std::min(x.rows, clusters_at_once(kernel, shape));
  if (clusters == 0) return false;
  few_tiles::launch_zeros(x.c, x.cols);
  launch_clusters(kernel, clusters, shape, x.a, x.v, x.b, x.c, x.rows, x.cols);
  return true;
}

// A block for each row, with room for the fewest columns that suffice. With room for 20,480 of them instead of 18,432,
// 5000 x 16385 took 1.12 times as long on an H200, and with 22,528 instead of 21,504, 850 x 20481 took 1.02 times. With
// 14,336 instead of 13,312, shared memory has room for three rows instead of four: 400 x 12290 took 1.04 times as long.
template <int width = 12>
bool launch_block(const problem& x) {
  if constexpr (width < 52)
    if (x.cols > width * threads) return launch_block<width + 4>(x);
  if (width == 28 && x.cols <= 26 * threads && x.rows <= 4 * multiprocessors()) return launch<26, 1>(x);
  if (width == 44 && x.cols <= 42 * threads) return launch<42, 1>(x);
  return launch<width, 1>(x);
}

// Two blocks for each row if it is too wide for one. Of few wide rows, multiprocessors without one would be idle for
// too long.
inline bool launch_best(const problem& x) {
  const int all = multiprocessors();
  if (x.cols > 52 * threads) {
    if constexpr (has_clusters) {
      if (x.rows < 3 * all) return false;
      if (x.cols <= 64 * threads) return launch<32, 2>(x);
      if (x.cols <= 80 * threads) return launch<40, 2>(x);
      if (x.cols <= 104 * threads) return launch<52, 2>(x);
    }
    return false;
  }
  return x.rows >= (x.cols <= 40 * threads ? 1 : all * 3 / 2) && launch_block(x);
}

}  // namespace wide
