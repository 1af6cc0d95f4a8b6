#pragma once

#include "../device/hopper.hpp"
#include "../device/transposed.hpp"
#include "large_tiles.hpp"

// Hopper's way: a is transposed beforehand, and one thread more has TMA copy whole tiles; so the threads that multiply
// do nothing else, and compute no address of global memory.
namespace large_tiles::bulk {

constexpr int depth = 16, stages = 4;
constexpr int pair_floats = depth * (rows + cols);
#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
constexpr int all_threads = 1;  // code for another GPU: the kernel is empty, and cannot be launched with more
#else
constexpr int all_threads = threads + 128;  // registers change hands by the warpgroup
#endif

struct ring {
  float stage[stages * pair_floats];  // a's tile, transposed, then b's
  hopper::barrier full[stages], empty[stages];
};

// A place in the ring, and the parity of the round.
struct place {
  unsigned round = 0;
  int stage = 0;

  __device__ void advance() {
    if (++stage == stages) stage = 0, round ^= 1;
  }
};

__device__ void produce(ring& shared, const CUtensorMap& a, const CUtensorMap& b, int row, int col, int first,
                        int count) {
  place at{.round = 1};
  for (int i = 0; i < count; ++i) {
    shared.empty[at.stage].wait_in_place(at.round);  // all warps are done with it; at first it lets pass
    auto& full = shared.full[at.stage];
    float* to = shared.stage + at.stage * pair_floats;
    full.arrive_expecting(pair_floats * sizeof(float));
    hopper::load_box(to, a, first + i * depth, row, full);
    hopper::load_box(to + depth * rows, b, first + i * depth, col, full);
    at.advance();
  }
}

// The threads that multiply. No barrier holds them together: each warp says for itself that it is done with a stage.
template <bool vectors>
__device__ void consume(ring& shared, float* c, int n, int p, int row, int col, int count, float one) {
  const corner mine;
  thread_sums sums = {};
  place at;
  for (int i = 0; i < count; ++i) {
    shared.full[at.stage].wait_in_place(at.round);  // both tiles have come
    const float* from = shared.stage + at.stage * pair_floats;
    factors now;
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      now.load(from + k * rows + mine.fours * 4, from + depth * rows + k * cols + mine.x);
      now.multiply(sums);
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) shared.empty[at.stage].arrive();
    at.advance();
  }
  store<vectors>(sums, c, n, p, row, col, mine, one);
}

template <bool vectors>
__global__ void __launch_bounds__(all_threads, 1)
    matmul_kernel(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c, int n, int m,
                  int p, int length, float one) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(128) char memory[];
  ring& shared = *reinterpret_cast<ring*>(memory);
  const few_tiles::part mine{length, m};
  const int tile = blockIdx.x, tile_cols = (p + cols - 1) / cols, count = (mine.end - mine.first + depth - 1) / depth;
  const int row = tile / tile_cols * rows, col = tile % tile_cols * cols;
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      shared.full[i].init(1);       // the producer arrives, and TMA's bytes
      shared.empty[i].init(warps);  // a thread of each warp that multiplies arrives
    }
    hopper::publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x >= threads) {
    hopper::shrink_to<24>();  // 384 x 168 registers become 128 x 24 and 256 x 240
    if (threadIdx.x == threads) produce(shared, a, b, row, col, mine.first, count);
    return;
  }
  hopper::grow_to<240>();
  consume<vectors>(shared, c, n, p, row, col, count, one);
#endif
}

template <bool vectors>
bool exists() {
  static const bool found_it = [] {
    cudaFuncAttributes found{};
    const auto kernel = matmul_kernel<vectors>;
    return cudaFuncGetAttributes(&found, kernel) == cudaSuccess && found.maxThreadsPerBlock >= all_threads &&
           cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(ring)) == cudaSuccess;
  }();
  return found_it;
}

// Rows of b must be whole vectors for TMA; they have `width` elements. False, and nothing is computed, without memory.
template <bool vectors>
bool launch(const float* a, const float* b, float* c, int n, int m, int p, int width, int splits) {
  const transposed::transpose wide_a{a, n, m};
  CUtensorMap of_a, of_b;
  if (!wide_a.data || !hopper::describe(of_a, wide_a.data, wide_a.height, wide_a.width, depth, rows) ||
      !hopper::describe(of_b, b, m, width, depth, cols))
    return false;
  const int tiles = few_tiles::divided(n, rows) * few_tiles::divided(p, cols);
  const int length = few_tiles::length_for(splits, m);
  few_tiles::prepare(c, splits, {n, m, p});
  matmul_kernel<vectors>
      <<<dim3(tiles, 1, few_tiles::divided(m, length)), all_threads, sizeof(ring)>>>(of_a, of_b, c, n, m, p, length, 1);
  return true;
}

bool launch(const float* a, const float* b, float* c, int n, int m, int p, bool vectors, int splits) {
  if (vectors) return launch<true>(a, b, c, n, m, p, p, splits);
  const transposed::widened wide_b{b, m, p};
  return wide_b.data && launch<false>(a, wide_b.data, c, n, m, p, wide_b.width, splits);
}

}  // namespace large_tiles::bulk
