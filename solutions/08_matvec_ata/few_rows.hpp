#pragma once

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>

#include "vectors.hpp"

// For few rows that are too long for shared_rows.hpp. The blocks share the columns and hold all of A at once, in the
// shared memory of all multiprocessors. One barrier of the whole grid separates the two products.
namespace few_rows {

constexpr int threads = 512, warps = threads / lanes, most_blocks = 5 * lanes;

// Floats from one row to the next in shared memory. A row begins there up to three floats after a boundary, as in
// memory, so it can be copied 16 bytes at a time.
__host__ __device__ inline int pitch_of(int slice) { return divide_up(slice + 3, 4) * 4; }

// A warp copies a row's `cols` floats, the first of which is `shift` floats after a boundary.
__device__ inline void fetch(float* to, const float* from, int shift, int cols) {
  copy_floats<lanes>(to, from, min((4 - shift) % 4, cols), cols, threadIdx.x % lanes);
  __pipeline_commit();
}

// This warp's elements of b, from the parts of all blocks. All loads are under way before the first is needed: a loop
// that ends at the number of blocks would wait for each.
__device__ inline void add_parts(const float* parts, float* sums, float* b, int rows) {
  constexpr int at_once = 4;
  const int lane = threadIdx.x % lanes, blocks = gridDim.x;
  for (int first = threadIdx.x / lanes; first < rows; first += at_once * warps) {
    float mine[at_once] = {};
#pragma unroll
    for (int r = 0; r < at_once; ++r)
#pragma unroll
      for (int part = lane; part < most_blocks; part += lanes)
        if (const int row = first + r * warps; row < rows && part < blocks)
          mine[r] += __ldcg(&parts[row * blocks + part]);
#pragma unroll
    for (int r = 0; r < at_once; ++r) {
      const int row = first + r * warps;
      mine[r] = sum_of_team(mine[r]);
      if (lane > 0 || row >= rows) continue;
      sums[row] = mine[r];
      if (blockIdx.x == 0) b[row] = mine[r];
    }
  }
}

// Block i has columns i * slice ... The rows of a column are shared by as many threads as a block has for it.
__global__ void __launch_bounds__(threads)
    products(const float* a, const float* v, float* b, float* c, float* parts, int rows, int cols, int slice) {
  extern __shared__ float4 dynamic[];
  __shared__ float shares[threads];
  const int lane = threadIdx.x % lanes, warp = threadIdx.x / lanes;
  const int begin = blockIdx.x * slice, mine = min(slice, cols - begin), pitch = pitch_of(slice);
  float* const factor = reinterpret_cast<float*>(dynamic);
  float* const staged = factor + pitch;
  float* const sums = staged + rows * pitch;
  const unsigned first_float = reinterpret_cast<std::uintptr_t>(a + begin) / sizeof(float);
  const auto shift_of = [&](int row) { return int((first_float + unsigned(row) * unsigned(cols)) % 4); };
  const auto row_at = [&](int row) { return staged + row * pitch + shift_of(row); };

  for (int row = warp; row < rows; row += warps)
    fetch(row_at(row), a + std::int64_t(row) * cols + begin, shift_of(row), mine);
  for (int i = threadIdx.x; i < mine; i += threads) factor[i] = v[begin + i];
  __syncthreads();
  int later = divide_up(rows - warp, warps);  // rows of this warp that are still on their way
  for (int row = warp; row < rows; row += warps) {
    __pipeline_wait_prior(--later);
    __syncwarp();
    const float* const here = row_at(row);
    float sum = 0;
    for (int i = lane; i < mine; i += lanes) sum += here[i] * factor[i];
    sum = sum_of_team(sum);
    if (lane == 0) parts[row * gridDim.x + blockIdx.x] = sum;
  }
  cooperative_groups::this_grid().sync();
  add_parts(parts, sums, b, rows);
  __syncthreads();

  const int width = min(divide_up(mine, lanes) * lanes, threads), teams = threads / width;
  const int team = threadIdx.x / width;
  for (int first = 0; first < mine; first += width) {
    const int col = first + threadIdx.x % width;
    float sum = 0;
    if (col < mine && team < teams) {
#pragma unroll 8
      for (int row = team; row < rows; row += teams) sum += row_at(row)[col] * sums[row];
    }
    shares[threadIdx.x] = sum;
    __syncthreads();
    if (team == 0 && col < mine) {
      for (int t = 1; t < teams; ++t) sum += shares[t * width + threadIdx.x];
      c[begin + col] = sum;
    }
    __syncthreads();
  }
}

// Whether all of A is in shared memory, and c complete.
inline bool launch(const problem& x) {
  const int most = std::min(multiprocessors(), most_blocks), blocks = divide_up(x.cols, divide_up(x.cols, most));
  problem now = x;
  int slice = divide_up(x.cols, most);
  const std::int64_t bytes = sizeof(float) * (std::int64_t(x.rows + 1) * pitch_of(slice) + x.rows);
  if (bytes > (1 << 20) ||
      cudaFuncSetAttribute(products, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  float* parts = scratch(std::size_t(x.rows) * blocks);
  void* arguments[] = {&now.a, &now.v, &now.b, &now.c, &parts, &now.rows, &now.cols, &slice};
  return cudaLaunchCooperativeKernel(products, blocks, threads, arguments, std::size_t(bytes)) == cudaSuccess;
}

}  // namespace few_rows
