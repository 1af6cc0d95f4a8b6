#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

#include "vectors.hpp"

// Rows that do not fit into registers twice, or that begin anywhere. Their own places in registers have v and c. The rows
// pass through shared memory as they lie in memory, vector by vector, so they begin up to three floats after a boundary.
namespace wide {

constexpr int threads = 512, shared_kbytes = 224;

// A row's place among the vectors of memory.
struct row_in_vectors {
  const float* begin;
  int head, vectors, cols;  // floats before the first whole vector, whole vectors, and all floats

  __device__ row_in_vectors(const float* a, int row, int cols) : begin{a + std::int64_t(row) * cols}, cols{cols} {
    head = int(-(reinterpret_cast<std::uintptr_t>(begin) / sizeof(float)) % 4);
    head = head < cols ? head : cols;
    vectors = (cols - head) / 4;
  }

  // Where the first float lies after the boundary before it.
  __device__ int shift() const { return (4 - head) % 4; }
};

__device__ inline void fetch(float* to, const row_in_vectors& row) {
  float* first = to + row.shift();
  for (int i = threadIdx.x; i < row.vectors; i += threads)
    __pipeline_memcpy_async(first + row.head + 4 * i, row.begin + row.head + 4 * i, sizeof(float4));
  const int behind = row.head + 4 * row.vectors, single = row.head + row.cols - behind;
  if (int(threadIdx.x) < single) {
    const int col = int(threadIdx.x) < row.head ? threadIdx.x : behind + threadIdx.x - row.head;
    __pipeline_memcpy_async(first + col, row.begin + col, sizeof(float));
  }
}

// The sum over the block, in each thread.
__device__ inline float sum_of_block(float mine, float (&sums)[threads / lanes]) {
  mine = sum_of_team(mine);
  if (threadIdx.x % lanes == 0) sums[threadIdx.x / lanes] = mine;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int w = 0; w < threads / lanes; ++w) sum += sums[w];
  return sum;
}

// Block i takes rows i, i + gridDim.x ... While it computes, the next stages - 1 rows are on their way.
template <int width, int stages>
__global__ void __launch_bounds__(threads)
    products(const float* a, const float* v, float* b, float* shares, int rows, int cols) {
  constexpr int pitch = width * threads + 4;
  extern __shared__ float4 dynamic[];
  __shared__ float sums[2][threads / lanes];
  float* const staged = reinterpret_cast<float*>(dynamic);
  float factor[width], c[width] = {};
#pragma unroll
  for (int k = 0; k < width; ++k) {
    const int col = threadIdx.x + k * threads;
    factor[k] = col < cols ? v[col] : 0;
  }

  const int step = gridDim.x;
  int next = blockIdx.x, into = 0, turn = 0;
  const auto fetch_next = [&] {
    if (next < rows) fetch(staged + into * pitch, {a, next, cols});
    __pipeline_commit();
    next += step;
    into = into + 1 < stages ? into + 1 : 0;
  };
#pragma unroll
  for (int s = 1; s < stages; ++s) fetch_next();
  int from = 0;
  for (int row = blockIdx.x; row < rows; row += step, turn ^= 1) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();  // the row is there, and no thread needs the one before
    fetch_next();
    const float* x = staged + from * pitch + row_in_vectors{a, row, cols}.shift();
    from = from + 1 < stages ? from + 1 : 0;
    const auto at = [&](int k) {
      const int col = threadIdx.x + k * threads;
      return col < cols ? x[col] : 0;
    };
    float mine = 0;
#pragma unroll
    for (int k = 0; k < width; ++k) mine += at(k) * factor[k];
    const float product = sum_of_block(mine, sums[turn]);
#pragma unroll
    for (int k = 0; k < width; ++k) c[k] += at(k) * product;
    if (threadIdx.x == 0) b[row] = product;
  }
#pragma unroll
  for (int k = 0; k < width; ++k) {
    const int col = threadIdx.x + k * threads;
    if (col < cols) shares[std::int64_t(blockIdx.x) * cols + col] = c[k];
  }
}

// Returns the number of shares, or 0 if the device has too little shared memory.
template <int width>
int launch_width(const problem& x) {
  constexpr int row_bytes = (width * threads + 4) * sizeof(float), stages = shared_kbytes * 1024 / row_bytes;
  constexpr auto kernel = products<width, stages>;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, stages * row_bytes) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  const int blocks = x.rows < multiprocessors() ? x.rows : multiprocessors();
  float* shares = blocks == 1 ? x.c : scratch(std::size_t(blocks) * x.cols);
  kernel<<<blocks, threads, stages * row_bytes>>>(x.a, x.v, x.b, shares, x.rows, x.cols);
  return blocks;
}

// The same for rows that are too wide.
inline int launch(const problem& x) {
  if (x.cols <= 24 * threads) return launch_width<24>(x);
  if (x.cols <= 32 * threads) return launch_width<32>(x);
  if (x.cols <= 40 * threads) return launch_width<40>(x);
  if (x.cols <= 52 * threads) return launch_width<52>(x);
  return 0;
}

}  // namespace wide
