#include <cuda_pipeline.h>

#include "lab.hpp"

constexpr int row_fours = 2, col_fours = 4;                  // a thread owns 2 x 4 patches of 4 x 4 elements of c,
constexpr int lane_rows = 4, lane_cols = 8;                  // the lanes of a warp stand in 4 rows of 8,
constexpr int warp_rows = 4, warp_cols = 2;                  // and the warps of a block in 4 rows of 2:
constexpr int rows = row_fours * 4 * lane_rows * warp_rows;  // the block's tile has 128 rows
constexpr int cols = col_fours * 4 * lane_cols * warp_cols;  // and 256 columns
constexpr int depth = 32;                                    // of the tiles of a and b along their common dimension
constexpr int threads = warp_rows * warp_cols * 32;

struct tiles {
  float a[depth][rows + 4];  // transposed; four more columns let 8 k of 4 rows fall into 32 banks
  float b[depth][cols];
};

// A thread's share of the copies. They go from global to shared memory past the registers, and each a's element on its
// own, so that it lands where the transposed tile wants it. Rows and columns beyond the matrices are replaced by the
// last ones: their sums are never stored. The first pair of tiles is the one that may be short. It begins before the
// matrices do, and gets zeros there, so that all others need no comparison.
template <bool vectors>
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
  __device__ void copy(tiles& to) {
#pragma unroll
    for (int i = 0; i < a_rows; ++i) {
#pragma unroll
      for (int k = 0; k < depth; k += a_depth) {
        const bool there = whole || k_of_a() + k >= missing_;
        __pipeline_memcpy_async(&to.a[k_of_a() + k][r_of_a() + i * a_height], a_ + row_[i] + k, 4, there ? 0 : 4);
      }
    }
#pragma unroll
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

// Adds the products of a pair of tiles to the sums of the patches that begin at (y, x) of the block's tile.
__device__ void multiply(float (&sums)[row_fours * 4][col_fours * 4], const tiles& from, int y, int x) {
#pragma unroll 16
  for (int k = 0; k < depth; ++k) {
    float4 a[row_fours], b[col_fours];
    for (int i = 0; i < row_fours; ++i) a[i] = *reinterpret_cast<const float4*>(&from.a[k][y + i * lane_rows * 4]);
    for (int j = 0; j < col_fours; ++j) b[j] = *reinterpret_cast<const float4*>(&from.b[k][x + j * lane_cols * 4]);
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
}

template <bool vectors>
__global__ void __launch_bounds__(threads)
    matmul_kernel(const float* a, const float* b, float* c, int n, int m, int p) {
  extern __shared__ float4 shared[];
  tiles* buffers = reinterpret_cast<tiles*>(shared);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int y = warp / warp_cols * (rows / warp_rows) + lane / lane_cols * 4;
  const int x = warp % warp_cols * (cols / warp_cols) + lane % lane_cols * 4;
  const int count = (m + depth - 1) / depth;

  supply<vectors> next{a, b, n, m, p};
  next.template copy<false>(buffers[0]);

  float sums[row_fours * 4][col_fours * 4] = {};
  for (int i = 0; i < count; ++i) {
    __pipeline_wait_prior(0);  // this thread's part of pair i has come,
    __syncthreads();           // everybody's has, and all are done with pair i - 1
    if (i + 1 < count) next.template copy<true>(buffers[(i + 1) % 2]);
    multiply(sums, buffers[i % 2], y, x);
  }

#pragma unroll
  for (int i = 0; i < row_fours * 4; ++i) {
    const int row = blockIdx.y * rows + y + i / 4 * lane_rows * 4 + i % 4;
#pragma unroll
    for (int j = 0; j < col_fours * 4; j += 4) {
      const int col = blockIdx.x * cols + x + j * lane_cols;
      float* at = c + size_t(row) * p + col;
      if constexpr (vectors) {
        if (row < n && col < p) *reinterpret_cast<float4*>(at) = *reinterpret_cast<float4*>(&sums[i][j]);
      } else {
        for (int t = 0; t < 4; ++t) {
          if (row < n && col + t < p) at[t] = sums[i][j + t];
        }
      }
    }
  }
}

template <bool vectors>
void launch(const float* a, const float* b, float* c, int n, int m, int p) {
  constexpr int bytes = 2 * sizeof(tiles);
  cudaFuncSetAttribute(matmul_kernel<vectors>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const dim3 grid((p + cols - 1) / cols, (n + rows - 1) / rows);
  matmul_kernel<vectors><<<grid, threads, bytes>>>(a, b, c, n, m, p);
}

void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  if (p % 4 == 0)
    launch<true>(a, b, c, n, m, p);
  else
    launch<false>(a, b, c, n, m, p);
}
