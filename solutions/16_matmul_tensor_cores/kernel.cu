#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "../device/whole_vectors.hpp"
#include "lab.hpp"

using bf16 = __nv_bfloat16;
using namespace nvcuda;

constexpr int side = 16;                        // a fragment is a piece of 16 x 16 of a matrix, held by a whole warp
constexpr int patch = 4;                        // a warp computes 4 x 4 fragments of c, 64 x 64 elements
constexpr int warp_rows = 2, warp_cols = 2;     // a block has 2 x 2 warps
constexpr int rows = warp_rows * patch * side;  // so its tile of c has 128 rows ...
constexpr int cols = warp_cols * patch * side;  // ... and 128 columns
constexpr int depth = 64;                       // of the tiles of a and b along their common dimension
constexpr int threads = 32 * warp_rows * warp_cols;
constexpr int stages = 3;  // pairs of tiles in shared memory: one in use, two on their way
constexpr int pad = 8;     // 16 bytes more a row: eight rows of a fragment are then in different banks

struct tiles {
  bf16 a[rows][depth + pad];
  bf16 b[depth][cols + pad];
};

using fragment_a = wmma::fragment<wmma::matrix_a, side, side, side, bf16, wmma::row_major>;
using fragment_b = wmma::fragment<wmma::matrix_b, side, side, side, bf16, wmma::row_major>;
using fragment_c = wmma::fragment<wmma::accumulator, side, side, side, float>;

// What load_matrix_sync does, for shared memory alone. Of bf16 the library's function reads 4 bytes a thread from an
// address of any kind; where the address is known to be shared, the same instruction reads whole rows of 16 bytes.
__device__ void load(fragment_a& to, const bf16* from, int stride) {
  auto* r = reinterpret_cast<unsigned*>(&to);
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(__cvta_generic_to_shared(from)), "r"(stride)
               : "memory");
}
__device__ void load(fragment_b& to, const bf16* from, int stride) {
  auto* r = reinterpret_cast<unsigned*>(&to);
  asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.shared.bf16 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(__cvta_generic_to_shared(from)), "r"(stride)
               : "memory");
}

// Copies eight neighbours of a row, 16 bytes, without waiting for them; zeros for what is beyond the matrix.
__device__ void copy_eight(bf16* to, const bf16* matrix, int height, int width, int row, int col) {
  const bool inside = row < height && col < width;
  __pipeline_memcpy_async(to, inside ? matrix + size_t(row) * width + col : matrix, 16, inside ? 0 : 16);
}

// Successive threads copy successive eights of a tile's row. A pair of tiles is copied in shares, one after each step
// of products.
constexpr int shares = depth / side;
constexpr int a_height = threads * 8 / depth, b_height = threads * 8 / cols;  // rows that all threads copy at once
constexpr int a_share = rows / a_height / shares, b_share = depth / b_height / shares;  // of a thread's copies
__device__ int a_row() { return threadIdx.x * 8 / depth; }  // of a thread's first eight in a's tile, and so on
__device__ int a_col() { return threadIdx.x * 8 % depth; }
__device__ int b_row() { return threadIdx.x * 8 / cols; }
__device__ int b_col() { return threadIdx.x * 8 % cols; }

// For tiles that may reach beyond the matrices: every eight gets an address of its own, and is compared with the edges.
struct guarded_copies {
  const bf16 *a, *b;
  int n, m, p;
  int first = 0;  // of the next pair of tiles, along the common dimension

  __device__ void copy(tiles& to, int share) {
    for (int i = share * a_share; i < (share + 1) * a_share; ++i) {
      const int row = i * a_height + a_row();
      copy_eight(&to.a[row][a_col()], a, n, m, blockIdx.y * rows + row, first + a_col());
    }
    for (int i = share * b_share; i < (share + 1) * b_share; ++i) {
      const int row = i * b_height + b_row();
      copy_eight(&to.b[row][b_col()], b, m, p, first + row, blockIdx.x * cols + b_col());
    }
    if (share == shares - 1) first += depth;
  }
};

// For tiles that are all inside the matrices, as most are: two pointers move on, and nothing is compared.
struct quick_copies {
  const bf16 *a, *b;
  int m, p;
  const bf16* next_a = a + size_t(blockIdx.y * rows + a_row()) * m + a_col();
  const bf16* next_b = b + size_t(b_row()) * p + blockIdx.x * cols + b_col();
  int left = m / depth;  // pairs of tiles

  __device__ void copy(tiles& to, int share) {
    for (int i = share * a_share; i < (share + 1) * a_share; ++i, next_a += size_t(a_height) * m)
      __pipeline_memcpy_async(&to.a[i * a_height + a_row()][a_col()], next_a, 16);
    for (int i = share * b_share; i < (share + 1) * b_share; ++i, next_b += size_t(b_height) * p)
      __pipeline_memcpy_async(&to.b[i * b_height + b_row()][b_col()], next_b, 16);
    if (share < shares - 1) return;
    next_a += depth - std::ptrdiff_t(rows) * m;  // next_b is there already
    if (--left > 0) return;
    next_a -= depth;  // no pair is left: the last comes once more, and no thread reads it
    next_b -= std::ptrdiff_t(depth) * p;
  }
};

// A warp adds the products of one pair of tiles to its 4 x 4 fragments. No thread knows which elements of a fragment
// are its own: the warp loads and multiplies them together. After each step it begins a share of the copies of `to`.
template <class Copies>
__device__ void multiply(fragment_c (&sums)[patch][patch], const tiles& from, int warp_row, int warp_col, tiles& to,
                         Copies& copies) {
#pragma unroll
  for (int k = 0; k < depth; k += side) {
    fragment_a from_a[patch];
    fragment_b from_b[patch];
    for (int i = 0; i < patch; ++i) load(from_a[i], &from.a[(warp_row * patch + i) * side][k], depth + pad);
    for (int j = 0; j < patch; ++j) load(from_b[j], &from.b[k][(warp_col * patch + j) * side], cols + pad);
    for (int i = 0; i < patch; ++i)
      for (int j = 0; j < patch; ++j) wmma::mma_sync(sums[i][j], from_a[i], from_b[j], sums[i][j]);
    copies.copy(to, k / side);
  }
}

// Adds up the products of all pairs of tiles. While the warps multiply one pair, the next two are on their way.
template <class Copies>
__device__ void multiply_all(fragment_c (&sums)[patch][patch], tiles* stage, Copies copies, int m, int warp_row,
                             int warp_col) {
  for (int i = 0; i < stages - 1; ++i) {
    for (int share = 0; share < shares; ++share) copies.copy(stage[i], share);
    __pipeline_commit();
  }
  const int steps = (m + depth - 1) / depth;
  for (int i = 0; i < steps; ++i) {
    __pipeline_wait_prior(stages - 2);  // this thread's share of pair i has come,
    __syncthreads();                    // all shares have come, and no thread reads pair i - 1
    // The next pair takes the place of pair i - 1; no thread reads what comes after the last.
    multiply(sums, stage[i % stages], warp_row, warp_col, stage[(i + stages - 1) % stages], copies);
    __pipeline_commit();
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

// A block computes a tile of 128 x 128 elements of c, each of its four warps a quarter.
__global__ void __launch_bounds__(threads) matmul_kernel(const bf16* a, const bf16* b, float* c, int n, int m, int p) {
  extern __shared__ __align__(128) tiles stage[];
  const int warp = threadIdx.x / 32, warp_row = warp / warp_cols, warp_col = warp % warp_cols;

  fragment_c sums[patch][patch];
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
