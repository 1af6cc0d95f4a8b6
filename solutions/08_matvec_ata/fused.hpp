#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>

#include "sums.hpp"
#include "two_passes.hpp"
#include "vectors.hpp"

// Both products from one pass over A. A block holds a few whole rows in its registers; once it knows their elements of
// b = A v, it multiplies the same registers by them and adds the result to its share of c = A^T b. While it computes,
// the next rows are on their way to another set of registers, or, if they are too wide for that, to shared memory.

namespace fused {

constexpr int most_threads = 512;
constexpr int rows_of_block = 12;  // at least, so that what blocks add to c is less than a tenth of A

// A block has `fixed` threads or, if that is 0, as many as the columns need.
template <int fixed>
__device__ int threads_of_block() {
  return fixed ? fixed : blockDim.x;
}

// `height` rows in the registers of a block: of each row, a thread has `width` vectors, a block's threads apart.
template <class V, int block, int rows_held, int vectors>
struct held_rows {
  using Vector = V;
  static constexpr int fixed_threads = block, height = rows_held, width = vectors;
  static constexpr int places = 0;  // of each thread in shared memory

  Vector at[height][width];

  held_rows() = default;
  __device__ explicit held_rows(Vector*) {}

  // Zeros beyond the edges: they change no sum.
  __device__ void load(const Vector* a, int first, int rows, int cols) {
#pragma unroll
    for (int r = 0; r < height; ++r) {
      const Vector* row = a + std::int64_t(first + r) * cols;
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const int col = threadIdx.x + k * threads_of_block<block>();
        at[r][k] = first + r < rows && col < cols ? __ldcs(row + col) : Vector{};
      }
    }
  }

  __device__ const held_rows& arrived() const { return *this; }

  // This warp's part of the products with v.
  __device__ void times(const Vector* v, float (&sums)[most_threads / lanes][height]) const {
    float mine[height] = {};
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const Vector factor = v[threadIdx.x + k * threads_of_block<block>()];
#pragma unroll
      for (int r = 0; r < height; ++r) mine[r] += dot(at[r][k], factor);
    }
#pragma unroll
    for (int r = 0; r < height; ++r) {
      mine[r] = sum_of_team(mine[r]);
      if (threadIdx.x % lanes == 0) sums[threadIdx.x / lanes][r] = mine[r];
    }
  }

  __device__ void add_times(const float (&b)[height], Vector (&c)[width]) const {
#pragma unroll
    for (int r = 0; r < height; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) c[k] = sum_of_product(c[k], at[r][k], b[r]);
  }
};

// The same on their way through shared memory: asynchronous copies take no register. Every thread fetches what it will
// hold itself, which needs no barrier.
template <class V, int block, int rows_held, int vectors>
struct staged_rows {
  using Vector = V;
  using held = held_rows<V, block, rows_held, vectors>;
  static constexpr int fixed_threads = block, height = rows_held, width = vectors;
  static constexpr int places = height * width;

  Vector* mine;

  __device__ explicit staged_rows(Vector* shared) : mine{shared + threadIdx.x} {}

  __device__ void load(const Vector* a, int first, int rows, int cols) {
#pragma unroll
    for (int r = 0; r < height; ++r) {
      const Vector* row = a + std::int64_t(first + r) * cols;
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const int col = threadIdx.x + k * threads_of_block<block>();
        const bool inside = first + r < rows && col < cols;
        __pipeline_memcpy_async(mine + (r * width + k) * threads_of_block<block>(), inside ? row + col : a,
                                sizeof(Vector), inside ? 0 : sizeof(Vector));
      }
    }
    __pipeline_commit();
  }

  // These, while the last that were asked for are still on their way.
  __device__ held arrived() const {
    held rows;
    __pipeline_wait_prior(1);
#pragma unroll
    for (int r = 0; r < height; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) rows.at[r][k] = mine[(r * width + k) * threads_of_block<block>()];
    return rows;
  }
};

// Rows `first`, first + 1, ...: every thread adds up the warps' sums for itself, which saves a second barrier. That one
// barrier suffices also because the next call gets other memory for its sums.
template <class Vector, int block, int height, int width>
__device__ __forceinline__ void both_products(const held_rows<Vector, block, height, width>& held, const Vector* v,
                                              float* b, Vector (&c)[width], float (&sums)[most_threads / lanes][height],
                                              int first, int rows) {
  held.times(v, sums);
  __syncthreads();
  float products[height] = {};
#pragma unroll 4
  for (int w = 0; w < threads_of_block<block>() / lanes; ++w)
#pragma unroll
    for (int r = 0; r < height; ++r) products[r] += sums[w][r];
  held.add_times(products, c);
#pragma unroll
  for (int r = 0; r < height; ++r)
    if (threadIdx.x == 0 && first + r < rows) b[first + r] = products[r];
}

// `cols` counts vectors. Block i takes rows i * height ..., then those a whole grid further.
template <class Rows, class Vector = typename Rows::Vector>
__global__ void __launch_bounds__(most_threads)
    fused_kernel(const Vector* a, const Vector* v, float* b, Vector* c, int rows, int cols) {
  constexpr int height = Rows::height, width = Rows::width;
  const int threads = threads_of_block<Rows::fixed_threads>();
  extern __shared__ float4 dynamic[];
  __shared__ float sums[2][most_threads / lanes][height];
  Vector* staged = reinterpret_cast<Vector*>(dynamic);
#pragma unroll
  for (int k = 0; k < width; ++k) {
    const int col = threadIdx.x + k * threads;
    staged[col] = col < cols ? v[col] : Vector{};  // read by this thread only: no barrier
  }

  Vector share[width] = {};
  Rows even{staged + width * threads}, odd{staged + (width + Rows::places) * threads};
  const int step = gridDim.x * height;
  int first = blockIdx.x * height;
  even.load(a, first, rows, cols);
  for (; first < rows; first += 2 * step) {
    odd.load(a, first + step, rows, cols);
    both_products(even.arrived(), staged, b, share, sums[0], first, rows);
    even.load(a, first + 2 * step, rows, cols);
    both_products(odd.arrived(), staged, b, share, sums[1], first + step, rows);
  }
  wait_for_last_kernel();
#pragma unroll
  for (int k = 0; k < width; ++k)
    if (const int col = threadIdx.x + k * threads; col < cols) add_to(c + col, share[k]);
}

// As many blocks as the device holds at a time.
template <class Rows>
void launch(const problem& x) {
  using Vector = typename Rows::Vector;
  constexpr auto kernel = fused_kernel<Rows>;
  const int cols = x.cols * sizeof(float) / sizeof(Vector);
  const int threads = Rows::fixed_threads ? Rows::fixed_threads : divide_up(cols, Rows::width * lanes) * lanes;
  const int shared_bytes = threads * (Rows::width + 2 * Rows::places) * sizeof(Vector);
  int resident = 0;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes) != cudaSuccess) {
    cudaGetLastError();
    return two_passes::launch<Vector>(x);  // the widest rows need more shared memory than a T4 or an RTX GPU has
  }
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared_bytes);
  const int steps = divide_up(x.rows, Rows::height), all = multiprocessors();
  const int blocks = std::min({steps, all * std::max(resident, 1), std::max(all, divide_up(x.rows, rows_of_block))});
  few_tiles::launch_after_zeros(x.c, x.cols, kernel, blocks, threads, shared_bytes,
                                reinterpret_cast<const Vector*>(x.a), reinterpret_cast<const Vector*>(x.v), x.b,
                                reinterpret_cast<Vector*>(x.c), x.rows, cols);
}

// Rows of up to 4096 floats. If two rows for a block, or four, are all there are, the blocks take no more: with four,
// 256 x 2048 took 1.1 times as long on an H200. Of more rows, three at a time, with registers for just their columns,
// leave room for more blocks: four took 1.5 times as long at 60000 x 1537. Registers for 4096 columns took 1.4 times as
// long at 20000 x 2561. Up to 4096 columns, one row at a time took 0.89 times as long as two at 10000 x 4095, and 1.15
// times at 1500 x 4095.
template <class Vector>
void launch_short(const problem& x) {
  constexpr int block = most_threads;
  const int all = multiprocessors();
  if constexpr (sizeof(Vector) == sizeof(float)) {
    constexpr int narrow = 12 * lanes * 5;  // columns of 12 warps; 13 leave room for fewer blocks
    if (x.rows <= 4 * all && x.cols <= 5 * block) return launch<held_rows<float, 0, 2, 5>>(x);
    if (x.cols <= 4 * block && x.rows <= (x.cols <= narrow ? 8 : 16) * all) return launch<held_rows<float, 0, 4, 4>>(x);
    if (x.cols <= narrow) return launch<held_rows<float, 0, 3, 5>>(x);
    if (x.cols <= 5 * block) return launch<held_rows<float, 0, 2, 8>>(x);
    if (x.cols <= 6 * block) return launch<held_rows<float, block, 2, 6>>(x);
    if (x.rows >= 20 * all) return launch<held_rows<float, block, 1, 8>>(x);
    return launch<held_rows<float, block, 2, 8>>(x);
  } else {
    if (x.cols > 4 * block) return launch<held_rows<float4, 0, 4, 2>>(x);
    if (x.rows <= 4 * all) return launch<held_rows<float4, 0, 2, 1>>(x);
    return x.rows <= 8 * all ? launch<held_rows<float4, 0, 4, 1>>(x) : launch<held_rows<float4, 0, 3, 1>>(x);
  }
}

// Wide rows leave registers for fewer of them, even fewer when every float has its own bounds check.
template <class Vector>
void launch_best(const problem& x) {
  constexpr bool scalar = sizeof(Vector) == sizeof(float);
  constexpr int block = most_threads, least = scalar ? 4 : 1;
  if (x.cols <= 8 * block) return launch_short<Vector>(x);
  // With registers for 8192 floats of each row, 1500 x 4097 took 1.2 times as long on an H200. If the rows are many,
  // one at a time leaves registers for a second block: 8000 x 4097 then took 0.85 times as long.
  if constexpr (scalar) {
    if (x.cols <= 9 * block && x.rows >= 20 * multiprocessors()) return launch<held_rows<Vector, block, 1, 9>>(x);
    if (x.cols <= 9 * block) return launch<held_rows<Vector, block, 2, 9>>(x);
    if (x.cols <= 12 * block) return launch<held_rows<Vector, block, 2, 12>>(x);
  }
  if (x.cols <= 16 * block) return launch<held_rows<Vector, block, 2, 4 * least>>(x);
  if constexpr (!scalar)
    if (x.cols <= 32 * block) return launch<staged_rows<Vector, block, 1, 8>>(x);
  return two_passes::launch<Vector>(x);
}

}  // namespace fused
