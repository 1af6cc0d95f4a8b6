#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "../device/whole_vectors.hpp"
#include "lab.hpp"

// The instruction of the solution, with as little as possible between its products: fragments are loaded a step ahead,
// their addresses are constants beyond one register for each tile, and a larger block needs fewer copies.

using bf16 = __nv_bfloat16;
using namespace nvcuda;

constexpr int side = 16;                        // of a fragment
constexpr int patch = 4;                        // a warp computes 4 x 4 fragments of c, 64 x 64 elements
constexpr int warp_rows = 2, warp_cols = 4;     // a block has 2 x 4 warps
constexpr int rows = warp_rows * patch * side;  // so its tile of c has 128 rows
constexpr int cols = warp_cols * patch * side;  // and 256 columns
constexpr int depth = 64;                       // of the tiles of a and b along their common dimension
constexpr int threads = 32 * warp_rows * warp_cols;
constexpr int stages = 4;            // pairs of tiles in 204 KB of shared memory, which GPUs before Hopper do not have
constexpr int pad = 8;               // 16 bytes more a row: eight rows of a fragment then lie in different banks
constexpr int steps = depth / side;  // of products, for a pair of tiles

struct tiles {
  bf16 a[rows][depth + pad];
  bf16 b[depth][cols + pad];
};

using fragment_a = wmma::fragment<wmma::matrix_a, side, side, side, bf16, wmma::row_major>;
using fragment_b = wmma::fragment<wmma::matrix_b, side, side, side, bf16, wmma::row_major>;
using fragment_c = wmma::fragment<wmma::accumulator, side, side, side, float>;
using warp_sums = fragment_c[patch][patch];

// Calls f<0>(), f<1>(), ... f<count - 1>(): a number that becomes part of an instruction must be a constant.
template <int count, int i = 0, class F>
__device__ void unrolled(F f) {
  f.template operator()<i>();
  if constexpr (i + 1 < count) unrolled<count, i + 1>(f);
}

// As in the solution, but from an address of 32 bits, of which shared memory needs no more, and an offset in elements
// that stands in the instruction.
template <int offset>
__device__ void load(fragment_a& to, unsigned from) {
  auto* r = reinterpret_cast<unsigned*>(&to);
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%0, %1, %2, %3}, [%4 + %5], %6;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from), "n"(offset * sizeof(bf16)), "r"(depth + pad)
               : "memory");
}
template <int offset>
__device__ void load(fragment_b& to, unsigned from) {
  auto* r = reinterpret_cast<unsigned*>(&to);
  asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.shared.bf16 {%0, %1, %2, %3}, [%4 + %5], %6;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from), "n"(offset * sizeof(bf16)), "r"(cols + pad)
               : "memory");
}

// What a warp multiplies in one step: four fragments of a's tile and four of b's.
struct factors {
  fragment_a a[patch];
  fragment_b b[patch];

  // All fragments that a warp loads from a tile lie at fixed distances from its first.
  template <int step>
  __device__ void load_step(const tiles& from, int warp_row, int warp_col) {
    const unsigned first_a = __cvta_generic_to_shared(&from.a[warp_row * patch * side][0]);
    const unsigned first_b = __cvta_generic_to_shared(&from.b[0][warp_col * patch * side]);
    unrolled<patch>([&]<int i>() {
      constexpr int offset = i * side * (depth + pad) + step * side;
      load<offset>(a[i], first_a);
    });
    unrolled<patch>([&]<int j>() {
      constexpr int offset = step * side * (cols + pad) + j * side;
      load<offset>(b[j], first_b);
    });
  }

  __device__ void multiply(warp_sums& sums) const {
    for (int i = 0; i < patch; ++i)
      for (int j = 0; j < patch; ++j) wmma::mma_sync(sums[i][j], a[i], b[j], sums[i][j]);
  }
};

// Copies eight neighbours of a row, 16 bytes, without waiting for them; zeros for what lies beyond the matrix.
__device__ void copy_eight(bf16* to, const bf16* matrix, int height, int width, int row, int col) {
  const bool inside = row < height && col < width;
  __pipeline_memcpy_async(to, inside ? matrix + size_t(row) * width + col : matrix, 16, inside ? 0 : 16);
}

// A pair of tiles is copied in three shares, for its fourth step waits for the next pair. All threads together copy
// `a_height` rows of a's tile at once and `b_height` of b's; a share begins with the eight of a given number.
constexpr int shares = steps - 1;
constexpr int a_height = threads * 8 / depth, b_height = threads * 8 / cols;
__device__ constexpr int a_eight(int share) { return rows / a_height * share / shares; }
__device__ constexpr int b_eight(int share) { return depth / b_height * share / shares; }
__device__ int a_row() { return threadIdx.x * 8 / depth; }  // of a thread's first eight in a's tile, and so on
__device__ int a_col() { return threadIdx.x * 8 % depth; }
__device__ int b_row() { return threadIdx.x * 8 / cols; }
__device__ int b_col() { return threadIdx.x * 8 % cols; }

// For tiles that may reach beyond the matrices.
struct guarded_copies {
  const bf16 *a, *b;
  int n, m, p;
  int first = 0;  // of the next pair of tiles, along the common dimension

  __device__ void copy(tiles& to, int share) {
    for (int i = a_eight(share); i < a_eight(share + 1); ++i) {
      const int row = i * a_height + a_row();
      copy_eight(&to.a[row][a_col()], a, n, m, blockIdx.y * rows + row, first + a_col());
    }
    for (int i = b_eight(share); i < b_eight(share + 1); ++i) {
      const int row = i * b_height + b_row();
      copy_eight(&to.b[row][b_col()], b, m, p, first + row, blockIdx.x * cols + b_col());
    }
    if (share == shares - 1) first += depth;
  }
};

// For tiles that all lie inside the matrices: two pointers move on, and nothing is compared.
struct quick_copies {
  const bf16 *a, *b;
  int m, p;
  const bf16* next_a = a + size_t(blockIdx.y * rows + a_row()) * m + a_col();
  const bf16* next_b = b + size_t(b_row()) * p + blockIdx.x * cols + b_col();
  int left = m / depth;  // pairs of tiles

  __device__ void copy(tiles& to, int share) {
    for (int i = a_eight(share); i < a_eight(share + 1); ++i, next_a += size_t(a_height) * m)
      __pipeline_memcpy_async(&to.a[i * a_height + a_row()][a_col()], next_a, 16);
    for (int i = b_eight(share); i < b_eight(share + 1); ++i, next_b += size_t(b_height) * p)
      __pipeline_memcpy_async(&to.b[i * b_height + b_row()][b_col()], next_b, 16);
    if (share < shares - 1) return;
    next_a += depth - std::ptrdiff_t(rows) * m;  // next_b is there already
    if (--left > 0) return;
    next_a -= depth;  // no pair is left: the last comes once more, and nobody reads it
    next_b -= std::ptrdiff_t(depth) * p;
  }
};

// Waits until pair i has come, for all threads, once i + stages - 1 batches have been closed.
__device__ void wait() {
  __pipeline_wait_prior(stages - 2);
  __syncthreads();
}

// Adds up the products of all pairs of tiles. Before a step is multiplied, the factors of the next begin to come to
// other registers; in a pair's last step they are the first of the next pair.
template <class Copies>
__device__ void multiply_all(warp_sums& sums, tiles* stage, Copies copies, int m, int warp_row, int warp_col) {
#pragma unroll
  for (int i = 0; i < stages - 1; ++i) {
    for (int share = 0; share < shares; ++share) copies.copy(stage[i], share);
    __pipeline_commit();
  }
  wait();
  factors two[2];
  two[0].load_step<0>(stage[0], warp_row, warp_col);
  const int pairs = (m + depth - 1) / depth;
#pragma unroll 1
  for (int i = 0; i < pairs; ++i) {
    unrolled<steps>([&]<int step>() {
      constexpr bool last = step == steps - 1;
      if (last) wait();  // for pair i + 1; and nobody reads pair i any more
      two[(step + 1) % 2].template load_step<(step + 1) % steps>(stage[(i + last) % stages], warp_row, warp_col);
      two[step % 2].multiply(sums);
      if (!last) copies.copy(stage[(i + stages - 1) % stages], step);  // in the place of pair i - 1
      if (step == shares - 1) __pipeline_commit();
    });
  }
}

// Stores a fragment whose first element is c[row][col]. One that reaches over c's edge takes the way through the warp's
// corner of shared memory.
__device__ void store(const fragment_c& sums, float* corner, float* c, int n, int p, int row, int col) {
  if (row + side <= n && col + side <= p) {
    wmma::store_matrix_sync(c + size_t(row) * p + col, sums, p, wmma::mem_row_major);
    return;
  }
  wmma::store_matrix_sync(corner, sums, side, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x % 32; i < side * side; i += 32) {
    if (row + i / side < n && col + i % side < p) c[size_t(row + i / side) * p + col + i % side] = corner[i];
  }
  __syncwarp();  // the next fragment comes to the same corner
}

__global__ void __launch_bounds__(threads) matmul_kernel(const bf16* a, const bf16* b, float* c, int n, int m, int p) {
  extern __shared__ __align__(128) tiles stage[];
  const int warp = threadIdx.x / 32, warp_row = warp / warp_cols, warp_col = warp % warp_cols;

  warp_sums sums;
  for (auto& row : sums)
    for (auto& one : row) wmma::fill_fragment(one, 0);

  const int first_row = blockIdx.y * rows, first_col = blockIdx.x * cols;
  if (first_row + rows <= n && first_col + cols <= p && m % depth == 0)
    multiply_all(sums, stage, quick_copies{a, b, m, p}, m, warp_row, warp_col);
  else
    multiply_all(sums, stage, guarded_copies{a, b, n, m, p}, m, warp_row, warp_col);

  __pipeline_wait_prior(0);
  __syncthreads();  // the tiles are done with: their memory serves as the warps' corners
  float* corner = reinterpret_cast<float*>(stage) + warp * side * side;
#pragma unroll
  for (int i = 0; i < patch; ++i) {
#pragma unroll
    for (int j = 0; j < patch; ++j) {
      const int row = first_row + (warp_row * patch + i) * side, col = first_col + (warp_col * patch + j) * side;
      store(sums[i][j], corner, c, n, p, row, col);
    }
  }
}

// m and p are multiples of 8, so that all rows begin at multiples of 16 bytes.
void launch(const unsigned short* a, const unsigned short* b, float* c, int n, int m, int p) {
  constexpr int bytes = stages * sizeof(tiles);
  cudaFuncSetAttribute(matmul_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const dim3 grid((p + cols - 1) / cols, (n + rows - 1) / rows);
  matmul_kernel<<<grid, threads, bytes>>>(reinterpret_cast<const bf16*>(a), reinterpret_cast<const bf16*>(b), c, n, m,
                                          p);
}

void matmul_bf16(const unsigned short* a, const unsigned short* b, float* c, int n, int m, int p) {
  whole_vectors::matmul(launch, a, b, c, n, m, p);
}
