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

// Which parts of which tiles a block computes, in steps of `depth` along the common dimension. First the blocks share
// out evenly the steps of the last tiles, which are too few for all blocks; then each has `turns` whole tiles.
struct schedule {
  int tile_cols, tiles, steps, turns;

  struct piece {
    int row, col, first, count;  // the tile's corner; the first of its steps, and how many
  };

  __host__ __device__ int shared_out(int blocks) const { return max(0, tiles - turns * blocks); }

  template <class F>
  __device__ void for_each_piece(const F& compute) const {
    const int blocks = gridDim.x, block = blockIdx.x, whole = tiles - shared_out(blocks);
    const auto give = [&](int tile, int first, int count) {
      compute(piece{tile / tile_cols * rows, tile % tile_cols * cols, first, count});
    };
    const long long all = (long long)(tiles - whole) * steps, end = all * (block + 1) / blocks;
    for (long long at = all * block / blocks; at < end;) {
      const int tile = at / steps, first = at - (long long)(tile)*steps;
      const int count = min((long long)(steps - first), end - at);
      give(whole + tile, first, count);
      at += count;
    }
    for (int tile = block; tile < whole; tile += blocks) give(tile, 0, steps);
  }
};

__device__ void produce(ring& shared, const CUtensorMap& a, const CUtensorMap& b, const schedule& all) {
  place at{.round = 1};
  all.for_each_piece([&](const schedule::piece& now) {
    for (int i = now.first; i < now.first + now.count; ++i) {
      shared.empty[at.stage].wait_in_place(at.round);  // all warps are done with it; at first it lets pass
      auto& full = shared.full[at.stage];
      float* to = shared.stage + at.stage * pair_floats;
      full.arrive_expecting(pair_floats * sizeof(float));
      hopper::load_box(to, a, i * depth, now.row, full);
      hopper::load_box(to + depth * rows, b, i * depth, now.col, full);
      at.advance();
    }
  });
}

// Adds four neighbours in global memory, each atomically, with one instruction.
__device__ inline void add(float4* to, const float4& more) {
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(more.x), "f"(more.y), "f"(more.z),
               "f"(more.w)
               : "memory");
}

// The threads that multiply. No barrier holds them together: each warp says for itself that it is done with a stage.
__device__ void consume(ring& shared, float* c, int n, int p, const schedule& all, float one) {
  const corner mine;
  place at;
  all.for_each_piece([&](const schedule::piece& now) {
    thread_sums sums = {};
    for (int i = 0; i < now.count; ++i) {
      shared.full[at.stage].wait_in_place(at.round);  // both tiles have come
      const float* from = shared.stage + at.stage * pair_floats;
      factors pair;
#pragma unroll
      for (int k = 0; k < depth; ++k) {
        pair.load(from + k * rows + mine.fours * 4, from + depth * rows + k * cols + mine.x);
        pair.multiply(sums);
      }
      hopper::finish_reads();  // TMA may not overwrite what a load on its way has yet to read
      __syncwarp();
      if (threadIdx.x % 32 == 0) shared.empty[at.stage].arrive();
      at.advance();
    }
    store<true>(sums, c, n, p, now.row, now.col, mine, one, [&](float4* to, const float4& four) {
      if (now.count == all.steps)
        *to = four;
      else
        add(to, four);
    });
  });
}

static __global__ void __launch_bounds__(all_threads, blocks_at_a_time)
    matmul_kernel(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c, int n, int p,
                  schedule all, float one) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(128) char memory[];
  ring& shared = *reinterpret_cast<ring*>(memory);
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      shared.full[i].init(1);       // the producer arrives, and TMA's bytes
      shared.empty[i].init(warps);  // a thread of each warp that multiplies arrives
    }
    hopper::publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x >= threads) {
    hopper::shrink_to<24>();  // 384 x 80 registers become 128 x 24 and 256 x 104
    if (threadIdx.x == threads) produce(shared, a, b, all);
    return;
  }
  hopper::grow_to<104>();
  consume(shared, c, n, p, all, one);
#endif
}

inline bool exists() {
  static const bool found_it = [] {
    cudaFuncAttributes found{};
    return cudaFuncGetAttributes(&found, matmul_kernel) == cudaSuccess && found.maxThreadsPerBlock >= all_threads &&
           cudaFuncSetAttribute(matmul_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(ring)) ==
               cudaSuccess;
  }();
  return found_it;
}

inline int blocks() { return blocks_at_a_time * few_tiles::multiprocessors(); }

inline schedule schedule_for(const few_tiles::shape& s, int turns) {
  const int tile_cols = few_tiles::divided(s.p, cols);
  return {tile_cols, few_tiles::divided(s.n, rows) * tile_cols, few_tiles::divided(s.m, depth), turns};
}

// How many whole tiles a block gets, and the time of that, as few_tiles counts it.
struct plan {
  int turns;
  double time;
};

// Either the blocks wait for the last of them, or they share the last tiles out and add sums.
inline plan plan_for(const few_tiles::shape& s, bool vectors) {
  constexpr double per_k = 0.1635, copied = 2.1e6;  // microseconds a turn; bytes read and written in a microsecond
  const double of_a = 4.0 * s.n * s.m, of_b = 4.0 * s.m * s.p, of_c = 4.0 * s.n * s.p;
  const double turns = double(schedule_for(s, 0).tiles) / blocks(), shared = turns - int(turns);
  const double all = 2 + (of_a + (vectors ? 0 : of_b + of_c)) / copied + (vectors ? 0 : 16);
  const double even = all + 11 + turns * per_k * s.m + of_c * shared / turns / few_tiles::zeroed;
  const double whole = all + std::ceil(turns) * per_k * s.m + of_c / few_tiles::stored;
  return even < whole ? plan{int(turns), even} : plan{int(std::ceil(turns)), whole};
}

// Rows of b and c are whole vectors; b's are `p` long. False, and nothing is computed, without memory.
inline bool launch_vectors(const float* a, const float* b, float* c, const few_tiles::shape& s, int turns) {
  const transposed::transpose wide_a{a, s.n, s.m};
  CUtensorMap of_a, of_b;
  if (!wide_a.data || !hopper::describe(of_a, wide_a.data, wide_a.height, wide_a.width, depth, rows) ||
      !hopper::describe(of_b, b, s.m, s.p, depth, cols))
    return false;
  const schedule all = schedule_for(s, turns);
  if (const int shared = all.shared_out(blocks()); shared > 0) {  // the last tiles
    const size_t first = size_t(s.p) * rows * ((all.tiles - shared) / all.tile_cols);
    cudaMemsetAsync(c + first, 0, sizeof(float) * (size_t(s.n) * s.p - first), 0);
  }
  matmul_kernel<<<blocks(), all_threads, sizeof(ring)>>>(of_a, of_b, c, s.n, s.p, all, 1);
  return true;
}

// Other rows are copied to longer ones, c's at the end: that takes less time than to store its elements one by one.
inline bool launch(const float* a, const float* b, float* c, const few_tiles::shape& s, bool vectors, int turns) {
  if (vectors) return launch_vectors(a, b, c, s, turns);
  const transposed::widened wide_b{b, s.m, s.p};
  const transposed::copy wide_c{s.n, s.p};
  if (!wide_b.data || !wide_c.data) return false;
  if (!launch_vectors(a, wide_b.data, wide_c.data, {s.n, s.m, wide_c.width}, turns)) return false;
  wide_c.narrow(c, s.p);
  return true;
}

}  // namespace large_tiles::bulk
