#pragma once

#include <cuda_pipeline.h>

#include "large_tiles.hpp"

// The way for every GPU and every size: all threads copy, and all multiply.
namespace large_tiles::plain {

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
__global__ void __launch_bounds__(threads, blocks_at_a_time)
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
  store<vectors>(sums, c, n, p, blockIdx.y * rows, blockIdx.x * cols, at, one,
                 [](auto* to, const auto& sums_of_it) { *to = sums_of_it; });
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

}  // namespace large_tiles::plain
