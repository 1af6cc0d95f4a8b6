#pragma once

#include <optional>

#include "../device/hopper.hpp"
#include "../device/transposed.hpp"
#include "large_tiles.hpp"
#include "prepare.hpp"

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

// An element on its way to shared memory past the registers, or a zero.
__device__ inline void copy_element(float* to, const float* from, bool exists) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(hopper::shared_address(to)), "l"(from),
               "r"(exists ? 4 : 0)
               : "memory");
}

struct matrix {
  const float* data;
  int height, width;
};

// Keeps the ring filled. TMA takes b only if its rows are whole vectors, and one thread suffices. Else a warpgroup
// copies b's elements, each thread a column: a copy of b with longer rows took 1.2 times as long at 223 x 4379 x 1721.
template <bool by_tma>
__device__ void produce(ring& shared, const CUtensorMap& map_of_a, const CUtensorMap& map_of_b, const matrix& b,
                        const schedule& all) {
  const int column = threadIdx.x - threads;
  place at{.round = 1};
  all.for_each_piece([&](const schedule::piece& now) {
    for (int i = now.first; i < now.first + now.count; ++i) {
      shared.empty[at.stage].wait_in_place(at.round);  // all warps are done with it; at first it lets pass
      auto& full = shared.full[at.stage];
      float* to = shared.stage + at.stage * pair_floats;
      if (column == 0) {
        full.arrive_expecting((by_tma ? pair_floats : depth * rows) * sizeof(float));
        hopper::load_box(to, map_of_a, i * depth, now.row, full);
      }
      to += depth * rows;
      if constexpr (by_tma) {
        hopper::load_box(to, map_of_b, i * depth, now.col, full);
      } else {
        const int k = i * depth, col = now.col + column;
        const float* from = b.data + size_t(k) * b.width + col;
#pragma unroll 4
        for (int r = 0; r < depth; ++r, from += b.width) {
          const bool exists = k + r < b.height && col < b.width;
          copy_element(to + r * cols + column, exists ? from : b.data, exists);
        }
        full.arrive_after_copies();
      }
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
__device__ inline void add(float* to, float more) { atomicAdd(to, more); }

// The threads that multiply. No barrier holds them together: each warp says for itself that it is done with a stage.
template <bool vectors>
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
    const auto put = [&](auto* to, const auto& more) {
      if (now.count == all.steps)
        *to = more;
      else
        add(to, more);
    };
    store<vectors>(sums, c, n, p, now.row, now.col, mine, one, put);
  });
}

// `by_tma`: so b's tiles come. `vectors`: c's rows are whole vectors.
template <bool by_tma, bool vectors>
__global__ void __launch_bounds__(all_threads, blocks_at_a_time)
    matmul_kernel(const __grid_constant__ CUtensorMap map_of_a, const __grid_constant__ CUtensorMap map_of_b, matrix b,
                  float* c, int n, int p, schedule all, float one) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(128) char memory[];
  ring& shared = *reinterpret_cast<ring*>(memory);
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      shared.full[i].init(by_tma ? 1 : 1 + cols);  // those that copy arrive, and TMA's bytes
      shared.empty[i].init(warps);                 // a thread of each warp that multiplies arrives
    }
    hopper::publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x >= threads) {
    hopper::shrink_to<32>();  // 384 x 80 registers become 128 x 32 and 256 x 104
    if (!by_tma || threadIdx.x == threads) produce<by_tma>(shared, map_of_a, map_of_b, b, all);
    return;
  }
  hopper::grow_to<104>();
  consume<vectors>(shared, c, n, p, all, one);
#endif
}

template <bool by_tma, bool vectors>
bool kernel_exists() {
  cudaFuncAttributes found{};
  const auto kernel = matmul_kernel<by_tma, vectors>;
  return cudaFuncGetAttributes(&found, kernel) == cudaSuccess && found.maxThreadsPerBlock >= all_threads &&
         cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(ring)) == cudaSuccess;
}
inline bool exists() {
  static const bool all = kernel_exists<true, true>() && kernel_exists<false, true>() && kernel_exists<true, false>();
  return all;
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
  constexpr double per_k = 0.163;                                                        // microseconds a turn
  constexpr double copied = 1.37e6, widened = 0.57e6, stored = 3.75e6, zeroed = 2.57e6;  // bytes in a microsecond
  const double of_a = 4.0 * s.n * s.m, of_b = 4.0 * s.m * s.p, of_c = 4.0 * s.n * s.p;
  const double turns = double(schedule_for(s, 0).tiles) / blocks(), shared = turns - int(turns);
  const double all = of_a / copied + of_c / stored, widening = vectors ? 0 : 11 + of_b / widened;
  const double others = vectors ? 0 : turns < 1 ? 4 + of_c / stored + 0.106 * turns * per_k * s.m : widening;
  const double even = all + 11 + others + turns * per_k * s.m + of_c * shared / turns / zeroed;
  const double whole = all + widening + std::ceil(turns) * per_k * s.m;
  return even < whole ? plan{int(turns), even} : plan{int(std::ceil(turns)), whole};
}

/// `vectors`: rows of b and c are whole vectors. Else blocks with whole tiles take b from a copy with longer rows and
/// store single elements. Blocks that share all tiles copy b's elements, and add vectors to a copy of c. Either way
/// alone is slower, the first 1.4 times at 777 x 777 x 777 and the second 1.1 at 3541 x 1499 x 1451. False, and nothing
/// is computed, without memory.
inline bool launch(const float* a, const float* b, float* c, const few_tiles::shape& s, bool vectors, int turns) {
  const transposed::copy turned{s.m, s.n};
  std::optional<transposed::copy> wide_c;
  std::optional<transposed::widened> wide_b;
  if (!vectors && turns == 0) wide_c.emplace(s.n, s.p);
  if (!vectors && turns > 0) wide_b.emplace(b, s.m, s.p);
  const matrix from_b{wide_b ? wide_b->data : b, s.m, wide_b ? wide_b->width : s.p};
  float* const to = wide_c ? wide_c->data : c;
  const int width = wide_c ? wide_c->width : s.p;
  CUtensorMap of_a{}, of_b{};
  if (!turned.data || !from_b.data || !to || !hopper::describe(of_a, turned.data, s.m, turned.width, depth, rows) ||
      (!wide_c && !hopper::describe(of_b, from_b.data, s.m, from_b.width, depth, cols)))
    return false;
  const schedule all = schedule_for(s, turns);
  const int shared = all.shared_out(blocks());  // the last tiles
  const size_t count = size_t(s.n) * width,
               stored = shared > 0 ? size_t(width) * rows * ((all.tiles - shared) / all.tile_cols) : count;
  const preparation first{a, turned.data, s.n, s.m, turned.width, to + stored, count - stored};
  prepare_kernel<<<unsigned(first.blocks()), copiers>>>(first);
  const auto kernel = vectors  ? matmul_kernel<true, true>
                      : wide_c ? matmul_kernel<false, true>
                               : matmul_kernel<true, false>;
  kernel<<<blocks(), all_threads, sizeof(ring)>>>(of_a, of_b, from_b, to, s.n, width, all, 1);
  if (wide_c) wide_c->narrow(c, s.p);
  return true;
}

}  // namespace large_tiles::bulk
