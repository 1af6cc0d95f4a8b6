#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Some kernels need the elements of a column side by side. They work on a transposed copy.
namespace transposed {

constexpr int most_blocks = 65535;  // of a grid, downwards

// One block of 32 x 8 threads a tile of 32 x 32 elements. The copy's rows have `width` elements, zeros beyond the n.
static __global__ void transpose_kernel(const float* from, float* to, int n, int m, int width) {
  __shared__ float tile[32][33];
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int row = blockIdx.y * 32 + i, k = blockIdx.x * 32 + threadIdx.x;
    tile[i][threadIdx.x] = row < n && k < m ? from[size_t(row) * m + k] : 0;
  }
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int k = blockIdx.x * 32 + i, row = blockIdx.y * 32 + threadIdx.x;
    if (k < m && row < width) to[size_t(k) * width + row] = tile[threadIdx.x][i];
  }
}

// Lets the pool keep what is given back to it, so that the next call need not ask the driver; false if there is no
// pool.
inline bool keep_freed_memory() {
  int device = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t all = UINT64_MAX;
  return cudaGetDevice(&device) == cudaSuccess && cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess &&
         cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all) == cudaSuccess;
}

/// The transpose of an n x m matrix, made on the default stream and gone in that stream's order: m rows that begin at
/// multiples of 16 bytes. Without memory for it, or with more rows than a grid can cover, `data` is null.
struct copy {
  int height, width;
  float* data = nullptr;

  copy(const float* from, int n, int m) : height{m}, width{(n + 3) / 4 * 4} {
    static const bool kept = keep_freed_memory();
    if (!kept || (n + 31) / 32 > most_blocks) return;
    if (cudaMallocAsync(&data, sizeof(float) * width * height, 0) != cudaSuccess) {
      cudaGetLastError();  // it is answered here
      data = nullptr;
      return;
    }
    transpose_kernel<<<dim3((m + 31) / 32, (n + 31) / 32), dim3(32, 8)>>>(from, data, n, m, width);
  }
  copy(const copy&) = delete;
  copy& operator=(const copy&) = delete;
  ~copy() {
    if (data) cudaFreeAsync(data, 0);
  }
};

}  // namespace transposed
