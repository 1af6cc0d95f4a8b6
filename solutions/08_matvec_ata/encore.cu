#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>

#include "lab.hpp"

// Both products from one pass over A. A block holds a few whole rows in its registers; once it knows their elements of
// b = A v, it multiplies the same registers by them and adds the result to its share of c = A^T b. While it computes,
// the next rows are on their way to another set of registers, or, if they are too wide for that, to shared memory.

constexpr int lanes = 32, wide_threads = 512, widest = 32 * wide_threads;

__device__ float dot(float a, float b) { return a * b; }
__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__device__ float sum_of_product(float sum, float a, float b) { return sum + a * b; }
__device__ float4 sum_of_product(float4 sum, float4 a, float b) {
  return make_float4(sum.x + a.x * b, sum.y + a.y * b, sum.z + a.z * b, sum.w + a.w * b);
}

__device__ float sum_of_warp(float value) {
#pragma unroll
  for (int offset = lanes / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  return value;
}

// `height` rows in the registers of a block: of each row, a thread has `width` vectors, which are `threads` apart.
template <class V, int block, int rows_held, int vectors>
struct held_rows {
  using Vector = V;
  static constexpr int threads = block, height = rows_held, width = vectors;
  static constexpr int places = 0;  // in shared memory

  Vector at[height][width];

  held_rows() = default;
  __device__ explicit held_rows(Vector*) {}

  // Zeros beyond the edges: they change no sum.
  __device__ void load(const Vector* a, int first, int rows, int cols) {
#pragma unroll
    for (int r = 0; r < height; ++r) {
      const Vector* row = a + std::int64_t(first + r) * cols;
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const int col = threadIdx.x + k * threads;
        at[r][k] = first + r < rows && col < cols ? __ldcs(row + col) : Vector{};
      }
    }
  }

  __device__ const held_rows& arrived() const { return *this; }

  // This warp's part of the products with v.
  __device__ void times(const Vector* v, float (&sums)[threads / lanes][height]) const {
    float mine[height] = {};
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const Vector factor = v[threadIdx.x + k * threads];
#pragma unroll
      for (int r = 0; r < height; ++r) mine[r] += dot(at[r][k], factor);
    }
#pragma unroll
    for (int r = 0; r < height; ++r) {
      mine[r] = sum_of_warp(mine[r]);
      if (threadIdx.x % lanes == 0) sums[threadIdx.x / lanes][r] = mine[r];
    }
  }

  __device__ void add_times(const float (&b)[height], Vector (&c)[width]) const {
#pragma unroll
    for (int r = 0; r < height; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) c[k] = sum_of_product(c[k], at[r][k], b[r]);
  }
};

// The same on their way through shared memory: asynchronous copies take no register. Every thread fetches what it will
// hold itself, which needs no barrier.
template <class V, int block, int rows_held, int vectors>
struct staged_rows {
  using Vector = V;
  using held = held_rows<V, block, rows_held, vectors>;
  static constexpr int threads = block, height = rows_held, width = vectors;
  static constexpr int places = height * width * threads;

  Vector* mine;

  __device__ explicit staged_rows(Vector* shared) : mine{shared + threadIdx.x} {}

  __device__ void load(const Vector* a, int first, int rows, int cols) {
#pragma unroll
    for (int r = 0; r < height; ++r) {
      const Vector* row = a + std::int64_t(first + r) * cols;
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const int col = threadIdx.x + k * threads;
        const bool inside = first + r < rows && col < cols;
        __pipeline_memcpy_async(mine + (r * width + k) * threads, inside ? row + col : a, sizeof(Vector),
                                inside ? 0 : sizeof(Vector));
      }
    }
    __pipeline_commit();
  }

  // These, while the last that were asked for are still on their way.
  __device__ held arrived() const {
    held rows;
    __pipeline_wait_prior(1);
#pragma unroll
    for (int r = 0; r < height; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) rows.at[r][k] = mine[(r * width + k) * threads];
    return rows;
  }
};

// Rows `first`, first + 1, ...: every thread adds up the warps' sums for itself, which saves a second barrier. That one
// barrier suffices also because the next call gets other memory for its sums.
template <class Vector, int threads, int height, int width>
__device__ __forceinline__ void both_products(const held_rows<Vector, threads, height, width>& held, const Vector* v,
                                              float* b, Vector (&c)[width], float (&sums)[threads / lanes][height],
                                              int first, int rows) {
  held.times(v, sums);
  __syncthreads();
  float products[height] = {};
#pragma unroll 4
  for (int w = 0; w < threads / lanes; ++w)
#pragma unroll
    for (int r = 0; r < height; ++r) products[r] += sums[w][r];
  held.add_times(products, c);
#pragma unroll
  for (int r = 0; r < height; ++r)
    if (threadIdx.x == 0 && first + r < rows) b[first + r] = products[r];
}

// `cols` counts vectors. Block i takes rows i * height ..., then those a whole grid further; its share of c becomes row
// i of `shares`.
template <class Rows, class Vector = typename Rows::Vector>
__global__ void __launch_bounds__(Rows::threads)
    fused_kernel(const Vector* a, const Vector* v, float* b, Vector* shares, int rows, int cols) {
  constexpr int threads = Rows::threads, height = Rows::height, width = Rows::width;
  extern __shared__ float4 dynamic[];
  __shared__ float sums[2][threads / lanes][height];
  Vector* staged = reinterpret_cast<Vector*>(dynamic);
#pragma unroll
  for (int k = 0; k < width; ++k) {
    const int col = threadIdx.x + k * threads;
    staged[col] = col < cols ? v[col] : Vector{};  // read by this thread only: no barrier
  }

  Vector c[width] = {};
  Rows even{staged + width * threads}, odd{staged + width * threads + Rows::places};
  const int step = gridDim.x * height;
  int first = blockIdx.x * height;
  even.load(a, first, rows, cols);
  for (; first < rows; first += 2 * step) {
    odd.load(a, first + step, rows, cols);
    both_products(even.arrived(), staged, b, c, sums[0], first, rows);
    even.load(a, first + 2 * step, rows, cols);
    both_products(odd.arrived(), staged, b, c, sums[1], first + step, rows);
  }
#pragma unroll
  for (int k = 0; k < width; ++k) {
    const int col = threadIdx.x + k * threads;
    if (col < cols) shares[std::int64_t(blockIdx.x) * cols + col] = c[k];
  }
}

// Lane x of block i adds up column 32 i + x of the shares, always in the same order: warp y takes every 32nd share, and
// then the first warp adds up what the warps have.
__global__ void add_shares(const float* shares, float* c, int count, int cols) {
  __shared__ float sums[lanes][lanes];
  const int col = blockIdx.x * lanes + threadIdx.x;
  float sum = 0;
  if (col < cols)
    for (int s = threadIdx.y; s < count; s += lanes) sum += shares[std::int64_t(s) * cols + col];
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || col >= cols) return;
  for (int y = 1; y < lanes; ++y) sum += sums[y][threadIdx.x];
  c[col] = sum;
}

// For rows that no block can hold: a block for each row, then for each column and each share of the rows a thread.
__global__ void wide_rows(const float* a, const float* v, float* b, int cols) {
  const float* row = a + std::int64_t(blockIdx.x) * cols;
  __shared__ float sums[wide_threads / lanes];
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += wide_threads) sum += row[col] * v[col];
  sum = sum_of_warp(sum);
  if (threadIdx.x % lanes == 0) sums[threadIdx.x / lanes] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < wide_threads / lanes; ++w) sum += sums[w];
  b[blockIdx.x] = sum;
}

// For short rows: a warp for each.
__global__ void short_rows(const float* a, const float* v, float* b, int rows, int cols) {
  const int row = blockIdx.x * (wide_threads / lanes) + threadIdx.x / lanes;
  if (row >= rows) return;
  float sum = 0;
  for (int col = threadIdx.x % lanes; col < cols; col += lanes) sum += a[std::int64_t(row) * cols + col] * v[col];
  sum = sum_of_warp(sum);
  if (threadIdx.x % lanes == 0) b[row] = sum;
}

__global__ void wide_columns(const float* a, const float* b, float* shares, int rows, int cols) {
  const int col = blockIdx.x * wide_threads + threadIdx.x;
  if (col >= cols) return;
  float sum = 0;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) sum += a[std::int64_t(row) * cols + col] * b[row];
  shares[std::int64_t(blockIdx.y) * cols + col] = sum;
}

// Device memory for the shares, kept from call to call as long as no larger problem comes.
static float* scratch(std::size_t elements) {
  static float* kept = nullptr;
  static std::size_t size = 0;
  if (elements > size) {
    cudaFree(kept);
    size = cudaMalloc(&kept, elements * sizeof(float)) == cudaSuccess ? elements : 0;
  }
  return kept;
}

static int divide_up(int a, int b) { return (a - 1) / b + 1; }

static int multiprocessors() {
  int device = 0, count = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

struct problem {
  const float *a, *v;
  float *b, *c;
  int rows, cols;
};

static int columns_in_shares(const float* a, const float* b, int rows, int cols) {
  const int blocks = divide_up(cols, wide_threads);
  constexpr int rows_of_share = 12;  // at least, so that shares are less than a tenth of `a`
  const int count = std::min(divide_up(rows, rows_of_share), divide_up(4 * multiprocessors(), blocks));
  float* shares = scratch(std::size_t(count) * cols);
  wide_columns<<<dim3(blocks, count), wide_threads>>>(a, b, shares, rows, cols);
  return count;
}

static int two_passes(const problem& x) {
  wide_rows<<<x.rows, wide_threads>>>(x.a, x.v, x.b, x.cols);
  return columns_in_shares(x.a, x.b, x.rows, x.cols);
}

// As many blocks as the device holds at a time. Returns their number, which is that of the shares.
template <class Rows>
static int fuse(const problem& x) {
  using Vector = typename Rows::Vector;
  constexpr auto kernel = fused_kernel<Rows>;
  constexpr int shared_bytes = (Rows::threads * Rows::width + 2 * Rows::places) * sizeof(Vector);
  int resident = 0;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes) != cudaSuccess) {
    cudaGetLastError();
    return two_passes(x);  // the widest rows need more shared memory than a T4 or an RTX GPU has
  }
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, Rows::threads, shared_bytes);
  const int blocks = std::min(multiprocessors() * std::max(resident, 1), divide_up(x.rows, Rows::height));
  float* shares = scratch(std::size_t(blocks) * x.cols);
  const int cols = x.cols * sizeof(float) / sizeof(Vector);
  fused_kernel<Rows><<<blocks, Rows::threads, shared_bytes>>>(reinterpret_cast<const Vector*>(x.a),
                                                              reinterpret_cast<const Vector*>(x.v), x.b,
                                                              reinterpret_cast<Vector*>(shares), x.rows, cols);
  return blocks;
}

// Wide rows leave registers for fewer of them, even fewer when every float has its own bounds check.
template <class Vector>
static int fuse_any(const problem& x) {
  constexpr int scalars = sizeof(float4) / sizeof(Vector), share = scalars == 1 ? 1 : 2;
  if (x.cols <= 4 * 128) return fuse<held_rows<Vector, 128, 4, scalars>>(x);
  if (x.cols <= 4 * 512) return fuse<held_rows<Vector, 512, 4, scalars>>(x);
  if (x.cols <= 8 * 512) return fuse<held_rows<Vector, 512, 4 / share, 2 * scalars>>(x);
  if (x.cols <= 16 * 512) return fuse<held_rows<Vector, 512, 2 / share, 4 * scalars>>(x);
  return fuse<staged_rows<Vector, 512, 1, 8 * scalars>>(x);
}

// One product alone reads A once anyway.
void matrix_vector(const float* a, const float* v, float* b, int rows, int cols) {
  if (cols <= 2 * wide_threads)
    short_rows<<<divide_up(rows, wide_threads / lanes), wide_threads>>>(a, v, b, rows, cols);
  else
    wide_rows<<<rows, wide_threads>>>(a, v, b, cols);
}

void transpose_vector(const float* a, const float* b, float* c, int rows, int cols) {
  const int count = columns_in_shares(a, b, rows, cols);
  add_shares<<<divide_up(cols, lanes), dim3(lanes, lanes)>>>(scratch(0), c, count, cols);
}

void ata_vector(const float* a, const float* v, float* b, float* c, int rows, int cols) {
  const problem x{a, v, b, c, rows, cols};
  const auto places = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(v);
  const bool aligned = places % sizeof(float4) == 0 && cols % 4 == 0;
  const int count = cols > widest ? two_passes(x) : aligned ? fuse_any<float4>(x) : fuse_any<float>(x);
  add_shares<<<divide_up(cols, lanes), dim3(lanes, lanes)>>>(scratch(0), c, count, cols);
}
