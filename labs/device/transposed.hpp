#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Some kernels need the elements of a column side by side, or rows of whole vectors. They work on a copy.
namespace transposed {

constexpr int most_blocks = 65535;  // of a grid, in y

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

// The same without transposing; a thread an element. The copy's rows have `width` elements, zeros beyond the m.
static __global__ void widen_kernel(const float* from, float* to, int n, int m, int width) {
  const int col = blockIdx.y * 256 + threadIdx.x, row = blockIdx.x;
  if (col < width) to[size_t(row) * width + col] = col < m ? from[size_t(row) * m + col] : 0;
}

// The way back: of rows of `width` elements the first m; a thread an element.
static __global__ void narrow_kernel(const float* from, float* to, int n, int m, int width) {
  const int col = blockIdx.y * 256 + threadIdx.x, row = blockIdx.x;
  if (col < m) to[size_t(row) * m + col] = from[size_t(row) * width + col];
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

inline int whole_vectors(int elements) { return (elements + 3) / 4 * 4; }

/// A copy in device memory, made on the default stream and gone in that stream's order. Its rows begin at multiples of
/// 16 bytes. Without memory for it, or with more rows than a grid can cover, `data` is null.
class copy {
 public:
  int height, width;
  float* data = nullptr;

  copy(int rows, int cols) : height{rows}, width{whole_vectors(cols)} {
    static const bool kept = keep_freed_memory();
    if (kept && cudaMallocAsync(&data, sizeof(float) * width * height, 0) == cudaSuccess) return;
    cudaGetLastError();  // it is answered here
    data = nullptr;
  }
  /// Writes the first `cols` elements of each row.
  void narrow(float* to, int cols) const {
    narrow_kernel<<<dim3(height, (cols + 255) / 256), 256>>>(data, to, height, cols, width);
  }
  copy(const copy&) = delete;
  copy& operator=(const copy&) = delete;
  ~copy() {
    if (data) cudaFreeAsync(data, 0);
  }
};

/// The transpose of an n x m matrix: m rows.
struct transpose : copy {
  transpose(const float* from, int n, int m) : copy((n + 31) / 32 > most_blocks ? 0 : m, n) {
    if (data) transpose_kernel<<<dim3((m + 31) / 32, (n + 31) / 32), dim3(32, 8)>>>(from, data, n, m, width);
  }
};

/// The same n x m matrix, with rows of whole vectors.
struct widened : copy {
  widened(const float* from, int n, int m) : copy((m + 255) / 256 > most_blocks ? 0 : n, m) {
    if (data) widen_kernel<<<dim3(n, (width + 255) / 256), 256>>>(from, data, n, m, width);
  }
};

}  // namespace transposed
