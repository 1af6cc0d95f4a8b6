// arch: sm_90a or any
#include <cuda_pipeline.h>

#include <cstdint>

#include "../device/few_tiles.hpp"
#include "lab.hpp"
#ifdef __CUDA_ARCH_LIST__  // nvcc's; the simulator has nothing of this
#include "../device/hopper.hpp"
#include "../device/transposed.hpp"
#endif

constexpr int row_fours = 2, col_fours = 4;                  // a thread owns 2 x 4 patches of 4 x 4 elements of c,
constexpr int lane_rows = 4, lane_cols = 8;                  // the lanes of a warp stand in 4 rows of 8,
constexpr int warp_rows = 4, warp_cols = 2;                  // and the warps of a block in 4 rows of 2:
constexpr int rows = row_fours * 4 * lane_rows * warp_rows;  // the block's tile has 128 rows
constexpr int cols = col_fours * 4 * lane_cols * warp_cols;  // and 256 columns
constexpr int warps = warp_rows * warp_cols, threads = warps * 32;

// Where a thread's patches begin in the block's tile.
struct corner {
  int y, x, fours;  // fours is y / 4

  __device__ explicit corner(int warp = threadIdx.x / 32, int lane = threadIdx.x % 32)
      : y{warp / warp_cols * (rows / warp_rows) + lane / lane_cols * 4},
        x{warp % warp_cols * (cols / warp_cols) + lane % lane_cols * 4},
        fours{warp / warp_cols * (rows / warp_rows / 4) + lane / lane_cols} {}
};

using thread_sums = float[row_fours * 4][col_fours * 4];

// What a thread needs of one k: 8 elements of a column of a, and 16 of a row of b.
struct factors {
  float4 a[row_fours], b[col_fours];

  __device__ void load(const float* from_a, const float* from_b) {
    for (int i = 0; i < row_fours; ++i) a[i] = *reinterpret_cast<const float4*>(from_a + i * lane_rows * 4);
    for (int j = 0; j < col_fours; ++j) b[j] = *reinterpret_cast<const float4*>(from_b + j * lane_cols * 4);
  }

  __device__ void multiply(thread_sums& sums) const {
    const float *down = &a[0].x, *across = &b[0].x;
#pragma unroll
    for (int j = 0; j < col_fours * 4; ++j) {
#pragma unroll
      for (int step = 0; step < row_fours * 4; ++step) {
        const int i = j % 2 ? row_fours * 4 - 1 - step : step;  // down a column of sums, up the next
        sums[i][j] += down[i] * across[j];
      }
    }
  }
};

// A vector that is stored lies in four neighbouring registers. Sums that went out as they are would have to lie so
// through the whole main loop, where the compiler wants to place each so that no multiply-add reads twice from one
// bank. So their products with `one` go out, which is 1, but only the launcher knows.
template <bool vectors>
__device__ void store(const thread_sums& sums, float* c, int n, int p, int tile_row, int tile_col, corner at,
                      float one) {
  for (int i = 0; i < row_fours * 4; ++i) {
    const int row = tile_row + at.y + i / 4 * lane_rows * 4 + i % 4;
    for (int j = 0; j < col_fours * 4; j += 4) {
      const int col = tile_col + at.x + j * lane_cols;
      float* to = c + size_t(row) * p + col;
      if constexpr (vectors) {
        float four[4];
        for (int t = 0; t < 4; ++t) four[t] = sums[i][j + t] * one;
        if (row >= n || col >= p) continue;
        if (gridDim.z == 1)
          *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(four);
        else
          for (int t = 0; t < 4; ++t) atomicAdd(to + t, four[t]);
      } else {
        for (int t = 0; t < 4; ++t)
          if (row < n && col + t < p) few_tiles::give(to + t, sums[i][j + t]);
      }
    }
  }
}

// The way for every GPU and every size: all threads copy, and all multiply.
namespace plain {

template <int depth>  // of the tiles along the common dimension of a and b
struct pair {
  float a[depth][rows + 4];  // transposed; four more columns let 8 k of 4 rows fall into 32 banks
  float b[depth][cols];
};

// A thread's share of the copies. They go from global to shared memory past the registers, and each a's element on its
// own, so that it lands where the transposed tile wants it. Rows and columns beyond the matrices are replaced by the
// last ones: their sums are never stored. The first pair of tiles is the one that may be short. It begins before the
// matrices do, and gets zeros there, so that all others need no comparison.
template <bool vectors, int depth>
class supply {
 public:
  __device__ supply(const float* from_a, const float* from_b, int n, int m, int p)
      : p_{p}, missing_{(m + depth - 1) / depth * depth - m} {
    const int row = blockIdx.y * rows, col = blockIdx.x * cols + threadIdx.x % b_row * 4;
    a_ = from_a + size_t(row) * m + k_of_a() - missing_;
    for (int i = 0; i < a_rows; ++i) row_[i] = (min(row + r_of_a() + i * a_height, n - 1) - row) * m;
    room_ = max(1, p - col);
    b_ = from_b + (k_of_b() - missing_) * ptrdiff_t(p) + min(col, p - (vectors ? 4 : 1));
  }

  // Begins to copy the next pair of tiles.
  template <bool whole>
  __device__ void copy(pair<depth>& to) {
    for (int i = 0; i < a_rows; ++i)
      for (int k = 0; k < depth; k += a_depth) {
        const bool there = whole || k_of_a() + k >= missing_;
        __pipeline_memcpy_async(&to.a[k_of_a() + k][r_of_a() + i * a_height], a_ + row_[i] + k, 4, there ? 0 : 4);
      }
    for (int k = 0; k < depth; k += b_depth) {
      const bool there = whole || k_of_b() + k >= missing_;
      const float* from = b_ + ptrdiff_t(k) * p_;
      float* into = &to.b[k_of_b() + k][threadIdx.x % b_row * 4];
      if constexpr (vectors) {
        __pipeline_memcpy_async(into, from, 16, there ? 0 : 16);
      } else {
        for (int j = 0; j < 4; ++j) __pipeline_memcpy_async(into + j, from + min(j, room_ - 1), 4, there ? 0 : 4);
      }
    }
    __pipeline_commit();
    a_ += depth;
    b_ += size_t(depth) * p_;
  }

 private:
  static constexpr int a_depth = 8, a_height = threads / a_depth, a_rows = rows / a_height;  // 8 k of 32 rows at once
  static constexpr int b_row = cols / 4, b_depth = threads / b_row;                          // 4 k of all columns

  __device__ static int k_of_a() { return threadIdx.x % a_depth; }
  __device__ static int r_of_a() { return threadIdx.x / a_depth; }
  __device__ static int k_of_b() { return threadIdx.x / b_row; }

  const float *a_, *b_;  // in the next pair of tiles
  int p_, missing_, room_;
  int row_[a_rows];
};

// Adds the products of a pair of tiles to the sums.
template <int depth>
__device__ void multiply(thread_sums& sums, const pair<depth>& from, corner at) {
  factors now, next;
  now.load(&from.a[0][at.y], &from.b[0][at.x]);
#pragma unroll 16
  for (int k = 0; k < depth; ++k) {
    const int ahead = min(k + 1, depth - 1);
    next.load(&from.a[ahead][at.y], &from.b[ahead][at.x]);  // on its way while these are multiplied
    now.multiply(sums);
    now = next;
  }
}

template <bool vectors, int depth>
__global__ void __launch_bounds__(threads)
    matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p, float one) {
  extern __shared__ float4 shared[];
  auto* buffers = reinterpret_cast<pair<depth>*>(shared);
  const corner at;
  const int count = (m + depth - 1) / depth;
  supply<vectors, depth> next{a, b, n, m, p};
  next.template copy<false>(buffers[0]);
  thread_sums sums = {};
  for (int i = 0; i < count; ++i) {
    __pipeline_wait_prior(0);  // this thread's part of pair i has come,
    __syncthreads();           // everybody's has, and all are done with pair i - 1
    if (i + 1 < count) next.template copy<true>(buffers[(i + 1) % 2]);
    multiply(sums, buffers[i % 2], at);
  }
  store<vectors>(sums, c, n, p, blockIdx.y * rows, blockIdx.x * cols, at, one);
}

// A T4 has too little shared memory for tiles of depth 32.
template <bool vectors, int depth = 32>
void launch(const float* a, const float* b, float* c, int n, int m, int p) {
  constexpr int bytes = 2 * sizeof(pair<depth>);
  if (cudaFuncSetAttribute(matmul_kernel<vectors, depth>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) !=
      cudaSuccess) {
    cudaGetLastError();
    if constexpr (depth > 16) return launch<vectors, depth / 2>(a, b, c, n, m, p);
  }
  const dim3 grid((p + cols - 1) / cols, (n + rows - 1) / rows);
  matmul_kernel<vectors, depth><<<grid, threads, bytes>>>(a, b, c, n, m, p, 1);
}

}  // namespace plain

#ifdef __CUDA_ARCH_LIST__
// Hopper's way: a is transposed beforehand, and one thread more has TMA copy whole tiles; so the threads that multiply
// do nothing else, and compute no address of global memory.
namespace bulk {

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

__device__ void produce(ring& shared, const CUtensorMap& a, const CUtensorMap& b, int row, int col, int first, int count) {
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
  matmul_kernel<vectors><<<dim3(tiles, 1, few_tiles::divided(m, length)), all_threads, sizeof(ring)>>>(
      of_a, of_b, c, n, m, p, length, 1);
  return true;
}

bool launch(const float* a, const float* b, float* c, int n, int m, int p, bool vectors, int splits) {
  if (vectors) return launch<true>(a, b, c, n, m, p, p, splits);
  const transposed::widened wide_b{b, m, p};
  return wide_b.data && launch<false>(a, wide_b.data, c, n, m, p, wide_b.width, splits);
}

}  // namespace bulk
#endif

// Where few large tiles would leave multiprocessors idle, smaller ones are faster.
void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const auto whole = [](int row, auto... pointers) {
    return row % 4 == 0 && ((reinterpret_cast<std::uintptr_t>(pointers) % 16 == 0) && ...);
  };
  const bool vectors = whole(p, b, c);
  const few_tiles::shape shape{n, m, p};
  const double tiles = double(few_tiles::divided(n, rows)) * few_tiles::divided(p, cols);
  few_tiles::plan large{1, std::ceil(tiles / few_tiles::multiprocessors()) * 0.2 * m};  // microseconds on an H200
#ifdef __CUDA_ARCH_LIST__
  const bool by_tma = bulk::exists<true>() && bulk::exists<false>();
  if (by_tma) large = few_tiles::plan_for(tiles, 0.166, shape);
#endif
  if (few_tiles::multiply(a, b, c, shape, vectors && whole(m, a), large.time)) return;
#ifdef __CUDA_ARCH_LIST__
  if (by_tma && bulk::launch(a, b, c, n, m, p, vectors, large.splits)) return;
#endif
  (vectors ? plain::launch<true> : plain::launch<false>)(a, b, c, n, m, p);
}

// The lab's first stages have launchers of their own.
void matmul_vectors(const float* a, const float* b, float* c, int n, int m, int p) { matmul(a, b, c, n, m, p); }
void matmul_double_buffered(const float* a, const float* b, float* c, int n, int m, int p) { matmul(a, b, c, n, m, p); }
