#pragma once

#include <algorithm>

#include "sums.hpp"
#include "vectors.hpp"

// Up to 1024 columns: `team` lanes share a row, so that a warp reads many short rows without a gap, and no barrier is
// needed before the row's element of b is known.
namespace narrow {

constexpr int threads = 256, warps = threads / lanes;

// Every team takes `height` rows at a time; of each row, a lane has `width` vectors, which are `team` apart. `cols`
// counts vectors.
template <class Vector, int team, int width, int height>
__global__ void __launch_bounds__(threads)
    products(const Vector* a, const Vector* v, float* b, Vector* c, int rows, int cols) {
  __shared__ Vector sums[warps][team * width];
  const int lane = threadIdx.x % team, teams = gridDim.x * (threads / team);
  Vector factor[width], share[width] = {};
#pragma unroll
  for (int k = 0; k < width; ++k) factor[k] = lane + k * team < cols ? v[lane + k * team] : Vector{};

  // A whole warp takes part in the sums, so its first team decides whether there is more.
  const int place = threadIdx.x % lanes / team;
  std::int64_t first = (std::int64_t(blockIdx.x) * threads + threadIdx.x / lanes * lanes) / team;
  for (; first < rows; first += std::int64_t(height) * teams) {
    Vector at[height][width];
#pragma unroll
    for (int r = 0; r < height; ++r) {
      const std::int64_t row = first + place + std::int64_t(r) * teams;
#pragma unroll
      for (int k = 0; k < width; ++k)
        at[r][k] = row < rows && lane + k * team < cols ? __ldcs(a + row * cols + lane + k * team) : Vector{};
    }
#pragma unroll
    for (int r = 0; r < height; ++r) {
      const std::int64_t row = first + place + std::int64_t(r) * teams;
      float product = 0;
#pragma unroll
      for (int k = 0; k < width; ++k) product += dot(at[r][k], factor[k]);
      product = sum_of_team<team>(product);
      if (lane == 0 && row < rows) b[row] = product;
#pragma unroll
      for (int k = 0; k < width; ++k) share[k] = sum_of_product(share[k], at[r][k], product);
    }
  }

#pragma unroll
  for (int k = 0; k < width; ++k) {
#pragma unroll
    for (int offset = team; offset < lanes; offset *= 2) share[k] = sum_of(share[k], from_lane(share[k], offset));
    if (threadIdx.x % lanes < team) sums[threadIdx.x / lanes][lane + k * team] = share[k];
  }
  __syncthreads();
  wait_for_last_kernel();
  for (int col = threadIdx.x; col < cols; col += threads) {
    Vector sum = sums[0][col];
#pragma unroll
    for (int w = 1; w < warps; ++w) sum = sum_of(sum, sums[w][col]);
    bring_to(c + col, sum, gridDim.x == 1);
  }
}

template <class Vector, int team, int width, int height>
void launch(const problem& x, int blocks) {
  const int cols = x.cols * sizeof(float) / sizeof(Vector);
  few_tiles::launch_after_zeros(x.c, blocks > 1 ? x.cols : 0, products<Vector, team, width, height>, blocks, threads, 0,
                                reinterpret_cast<const Vector*>(x.a), reinterpret_cast<const Vector*>(x.v), x.b,
                                reinterpret_cast<Vector*>(x.c), x.rows, cols);
}

// In small matrices, a team has one row at most, so that many teams are at work. On an H200, four rows for a team took
// 1.2 times as long at 344 x 175. If a team has two rows at most, or a few short ones, one block alone saves the second
// launch. With several blocks, 16 x 600 took 1.3 times as long; with one block, 44 x 162 took 1.37 times as long. Of
// more rows of more than 128 columns, blocks have as many, one after the other: then fewer blocks add to c. With four
// blocks for each multiprocessor, 8192 x 256 took 1.3 times as long, but 6509 x 65 0.82 times. In large matrices, no
// block waits until another has ended: with four blocks for each multiprocessor, 20000 x 401 took 1.13 times as long.
template <class Vector, int team, int width, int height>
void launch_team(const problem& x) {
  constexpr int few = 4096;  // elements for which a second launch takes longer than one block
  const int blocks = divide_up(x.rows, threads / team), most_even = 16 * multiprocessors();
  if (blocks == 1) return launch<Vector, team, width, 1>(x, 1);
  if (blocks <= 2 || (blocks <= 4 && x.rows * x.cols <= few)) return launch<Vector, team, width, height>(x, 1);
  if (blocks <= 2 * multiprocessors() || (x.cols > 4 * lanes && blocks <= most_even))
    return launch<Vector, team, width, 1>(x, divide_up(blocks, divide_up(blocks, 2 * multiprocessors())));
  int resident = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, products<Vector, team, width, height>, threads, 0);
  const int most = std::clamp(resident, 1, 4) * multiprocessors();
  return launch<Vector, team, width, height>(x, std::min(divide_up(blocks, height), most));
}

// The smallest team that holds a row, or a whole warp with the fewest vectors. On an H200, a block for four rows
// took 1.2 times as long at 1283 x 449. A warp with vectors for 1024 columns took 1.15 times as long at 30000 x 513.
template <class Vector, int width, int height, int team = 1>
void launch_best(const problem& x) {
  const int cols = x.cols * sizeof(float) / sizeof(Vector);
  if constexpr (team < lanes) {
    if (cols > team * width) return launch_best<Vector, width, height, 2 * team>(x);
    return launch_team<Vector, team, width, height>(x);
  } else {
    if (cols <= lanes * width) return launch_team<Vector, lanes, width, height>(x);
    if (cols <= 2 * lanes * width) return launch_team<Vector, lanes, 2 * width, (height + 1) / 2>(x);
    if (cols <= 3 * lanes * width) return launch_team<Vector, lanes, 3 * width, 1>(x);
    if (cols <= 4 * lanes * width) return launch_team<Vector, lanes, 4 * width, (width + 1) / 2>(x);
    if (cols <= 5 * lanes * width) return launch_team<Vector, lanes, 5 * width, 1>(x);
    return launch_team<Vector, lanes, 8 * width, 1>(x);
  }
}

}  // namespace narrow
