// expect: wrong_answer  diagnosis: wrong_everywhere | scattered | - | missing_barrier | partial_block | tile_holes | every_kth | last_element
// Takes the columns of b by the warp's row instead of its column.
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "../families/whole_vectors.hpp"
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
constexpr int pad = 8;     // 16 bytes more a row: eight rows of a fragment then lie in different banks

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

// Copies eight neighbours of a row, 16 bytes, without waiting for them; zeros for what lies beyond the matrix.
__device__ void copy_eight(bf16* to, const bf16* matrix, int height, int width, int row, int col) {
  const bool inside = row < height && col < width;
  __pipeline_memcpy_async(to, inside ? matrix + size_t(row) * width + col : matrix, 16, inside ? 0 : 16);
}

// All threads of the block copy a pair of tiles: successive threads copy successive eights of a row.
__device__ void copy_tiles(tiles& to, const bf16* a, const bf16* b, int n, int m, int p, int first) {
  for (int i = 0; i < rows * depth; i += threads * 8) {
    const int row = (i + threadIdx.x * 8) / depth, k = threadIdx.x * 8 % depth;
    copy_eight(&to.a[row][k], a, n, m, blockIdx.y * rows + row, first + k);
  }
  for (int i = 0; i < depth * cols; i += threads * 8) {
    const int k = (i + threadIdx.x * 8) / cols, col = threadIdx.x * 8 % cols;
    copy_eight(&to.b[k][col], b, m, p, first + k, blockIdx.x * cols + col);
  }
}

// A warp adds the products of one pair of tiles to its 4 x 4 fragments. No thread knows which elements of a fragment
// are its own: the warp loads and multiplies them together.
__device__ void multiply(fragment_c (&sums)[patch][patch], const tiles& from, int warp_row, int warp_col) {
  for (int k = 0; k < depth; k += side) {
    fragment_a from_a[patch];
    fragment_b from_b[patch];
    for (int i = 0; i < patch; ++i) load(from_a[i], &from.a[(warp_row * patch + i) * side][k], depth + pad);
    for (int j = 0; j < patch; ++j) load(from_b[j], &from.b[k][(warp_row * patch + j) * side], cols + pad);
    for (int i = 0; i < patch; ++i)
      for (int j = 0; j < patch; ++j) wmma::mma_sync(sums[i][j], from_a[i], from_b[j], sums[i][j]);
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

// A block computes a tile of 128 x 128 elements of c, each of its four warps a quarter. While the warps multiply one
// pair of tiles of a and b, the next two pairs are on their way.
__global__ void __launch_bounds__(threads) matmul_kernel(const bf16* a, const bf16* b, float* c, int n, int m, int p) {
  extern __shared__ __align__(128) tiles stage[];
  const int warp = threadIdx.x / 32, warp_row = warp / warp_cols, warp_col = warp % warp_cols;

  fragment_c sums[patch][patch];
  for (auto& row : sums)
    for (auto& one : row) wmma::fill_fragment(one, 0);

  for (int i = 0; i < stages - 1; ++i) {
    copy_tiles(stage[i], a, b, n, m, p, i * depth);
    __pipeline_commit();
  }
  const int steps = (m + depth - 1) / depth;
  for (int i = 0; i < steps; ++i) {
    __pipeline_wait_prior(stages - 2);  // this thread's share of pair i has come,
    __syncthreads();                    // everybody's has, and nobody reads pair i - 1 any more
    // The next pair takes the place of pair i - 1; after the last it is all zeros.
    copy_tiles(stage[(i + stages - 1) % stages], a, b, n, m, p, (i + stages - 1) * depth);
    __pipeline_commit();
    multiply(sums, stage[i % stages], warp_row, warp_col);
  }

  __pipeline_wait_prior(0);
  __syncthreads();  // the tiles are done with: their memory serves as the warps' corners
  float* corner = reinterpret_cast<float*>(stage) + warp * side * side;
#pragma unroll
  for (int i = 0; i < patch; ++i) {
#pragma unroll
    for (int j = 0; j < patch; ++j) {
      const int row = blockIdx.y * rows + (warp_row * patch + i) * side;
      const int col = blockIdx.x * cols + (warp_col * patch + j) * side;
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
