#include <cuda_pipeline.h>

#include <algorithm>

#include "lab.hpp"
#include "long_rows.hpp"
#include "narrow.hpp"
#include "shared_rows.hpp"
#include "shares.hpp"
#include "two_passes.hpp"
#include "wide.hpp"

// Both products from one pass over A. A block holds a few whole rows in its registers; once it knows their elements of
// b = A v, it multiplies the same registers by them and adds the result to its share of c = A^T b. While it computes,
// the next rows are on their way to another set of registers, or, if they are too wide for that, to shared memory.

constexpr int most_threads = 512;
constexpr int rows_of_share = 12;  // at least, so that shares are less than a tenth of A

// A block has `fixed` threads or, if that is 0, as many as the columns need.
template <int fixed>
__device__ int threads_of_block() {
  return fixed ? fixed : blockDim.x;
}

// `height` rows in the registers of a block: of each row, a thread has `width` vectors, a block's threads apart.
template <class V, int block, int rows_held, int vectors>
struct held_rows {
  using Vector = V;
  static constexpr int fixed_threads = block, height = rows_held, width = vectors;
  static constexpr int places = 0;  // of each thread in shared memory

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
        const int col = threadIdx.x + k * threads_of_block<block>();
        at[r][k] = first + r < rows && col < cols ? __ldcs(row + col) : Vector{};
      }
    }
  }

  __device__ const held_rows& arrived() const { return *this; }

  // This warp's part of the products with v.
  __device__ void times(const Vector* v, float (&sums)[most_threads / lanes][height]) const {
    float mine[height] = {};
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const Vector factor = v[threadIdx.x + k * threads_of_block<block>()];
#pragma unroll
      for (int r = 0; r < height; ++r) mine[r] += dot(at[r][k], factor);
    }
#pragma unroll
    for (int r = 0; r < height; ++r) {
      mine[r] = sum_of_team(mine[r]);
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
  static constexpr int fixed_threads = block, height = rows_held, width = vectors;
  static constexpr int places = height * width;

  Vector* mine;

  __device__ explicit staged_rows(Vector* shared) : mine{shared + threadIdx.x} {}

  __device__ void load(const Vector* a, int first, int rows, int cols) {
#pragma unroll
    for (int r = 0; r < height; ++r) {
      const Vector* row = a + std::int64_t(first + r) * cols;
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const int col = threadIdx.x + k * threads_of_block<block>();
        const bool inside = first + r < rows && col < cols;
        __pipeline_memcpy_async(mine + (r * width + k) * threads_of_block<block>(), inside ? row + col : a,
                                sizeof(Vector), inside ? 0 : sizeof(Vector));
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
      for (int k = 0; k < width; ++k) rows.at[r][k] = mine[(r * width + k) * threads_of_block<block>()];
    return rows;
  }
};

// Rows `first`, first + 1, ...: every thread adds up the warps' sums for itself, which saves a second barrier. That one
// barrier suffices also because the next call gets other memory for its sums.
template <class Vector, int block, int height, int width>
__device__ __forceinline__ void both_products(const held_rows<Vector, block, height, width>& held, const Vector* v,
                                              float* b, Vector (&c)[width], float (&sums)[most_threads / lanes][height],
                                              int first, int rows) {
  held.times(v, sums);
  __syncthreads();
  float products[height] = {};
#pragma unroll 4
  for (int w = 0; w < threads_of_block<block>() / lanes; ++w)
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
__global__ void __launch_bounds__(most_threads)
    fused_kernel(const Vector* a, const Vector* v, float* b, Vector* shares, int rows, int cols) {
  constexpr int height = Rows::height, width = Rows::width;
  const int threads = threads_of_block<Rows::fixed_threads>();
  extern __shared__ float4 dynamic[];
  __shared__ float sums[2][most_threads / lanes][height];
  Vector* staged = reinterpret_cast<Vector*>(dynamic);
#pragma unroll
  for (int k = 0; k < width; ++k) {
    const int col = threadIdx.x + k * threads;
    staged[col] = col < cols ? v[col] : Vector{};  // read by this thread only: no barrier
  }

  Vector c[width] = {};
  Rows even{staged + width * threads}, odd{staged + (width + Rows::places) * threads};
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

// One product alone reads A once anyway: a warp for each row.
__global__ void short_rows(const float* a, const float* v, float* b, int rows, int cols) {
  const int row = blockIdx.x * (most_threads / lanes) + threadIdx.x / lanes;
  if (row >= rows) return;
  float sum = 0;
  for (int col = threadIdx.x % lanes; col < cols; col += lanes) sum += a[std::int64_t(row) * cols + col] * v[col];
  sum = sum_of_team(sum);
  if (threadIdx.x % lanes == 0) b[row] = sum;
}

// As many blocks as the device holds at a time. Returns their number, which is that of the shares.
template <class Rows>
static int fuse(const problem& x) {
  using Vector = typename Rows::Vector;
  constexpr auto kernel = fused_kernel<Rows>;
  const int cols = x.cols * sizeof(float) / sizeof(Vector);
  const int threads = Rows::fixed_threads ? Rows::fixed_threads : divide_up(cols, Rows::width * lanes) * lanes;
  const int shared_bytes = threads * (Rows::width + 2 * Rows::places) * sizeof(Vector);
  int resident = 0;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes) != cudaSuccess) {
    cudaGetLastError();
    return two_passes::launch<Vector>(x);  // the widest rows need more shared memory than a T4 or an RTX GPU has
  }
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared_bytes);
  const int steps = divide_up(x.rows, Rows::height), all = multiprocessors();
  const int blocks = std::min({steps, all * std::max(resident, 1), std::max(all, divide_up(x.rows, rows_of_share))});
  float* shares = blocks == 1 ? x.c : scratch(std::size_t(blocks) * x.cols);
  fused_kernel<Rows><<<blocks, threads, shared_bytes>>>(reinterpret_cast<const Vector*>(x.a),
                                                        reinterpret_cast<const Vector*>(x.v), x.b,
                                                        reinterpret_cast<Vector*>(shares), x.rows, cols);
  return blocks;
}

// Whether one block for some rows would leave too many multiprocessors idle. Wide rows take longer, so more are few.
static bool few(const problem& x) {
  const int all = multiprocessors();
  return x.rows < (x.cols <= 4 * most_threads ? all / 4 : x.cols <= 16 * most_threads ? all * 3 / 4 : 3 * all);
}

// Whether all multiprocessors should share each row: the longest rows always, shorter ones if they are few. The longer
// they are, the more are few. On an H200, a block for each row took 1.3 times as long at 200 x 18001, and two blocks
// took 1.1 times as long at 1000 x 36001.
template <class Vector>
static bool share_rows(const problem& x) {
  constexpr int ratio = sizeof(Vector) == sizeof(float) ? 200 : 600;
  const int width = divide_up(x.cols, most_threads);
  if (width > 104 || x.cols / ratio > x.rows) return true;
  const double few = width > 64   ? 16
                     : width > 40 ? 6.25
                     : width > 36 ? 3.75
                     : width > 28 ? 2.75
                     : width > 24 ? 2.5
                     : width > 8  ? 1
                                  : 0;
  return x.rows < few * multiprocessors();
}

// Wide rows leave registers for fewer of them, even fewer when every float has its own bounds check.
template <class Vector>
static int launch_best(const problem& x) {
  constexpr bool scalar = sizeof(Vector) == sizeof(float);
  constexpr int block = most_threads, least = scalar ? 4 : 1, most = scalar ? 2 : 4;
  if (x.cols <= 1024) return narrow::launch_best<Vector, least, 4>(x);
  if (share_rows<Vector>(x)) {
    if (shared_rows::launch(x)) return 1;
    if ((scalar || x.rows <= long_rows::few) && long_rows::launch(x)) return 1;
  }
  const bool rows_are_few = few(x);
  // Registers hold two rows of 4097 to 8192 floats. If no multiprocessor has more than five rows, one at a time takes
  // less time. Two took 1.1 times as long at 200 x 8001 and 600 x 5001 on an H200.
  const int most_held = scalar ? (x.rows < 5 * multiprocessors() ? 8 : 16) : 32;
  if (rows_are_few || x.cols > most_held * block)
    if (const int shares = wide::launch_best(x)) return shares;
  if (rows_are_few) return two_passes::launch<Vector>(x);
  if (x.cols <= 4 * block) return fuse<held_rows<Vector, 0, 4, least>>(x);
  if (x.cols <= 8 * block) return fuse<held_rows<Vector, 0, most, 2 * least>>(x);
  // With registers for 8192 floats of each row, 1500 x 4097 took 1.2 times as long on an H200. If the rows are many,
  // one at a time leaves registers for a second block: 8000 x 4097 then took 0.85 times as long.
  if constexpr (scalar) {
    if (x.cols <= 9 * block && x.rows >= 20 * multiprocessors()) return fuse<held_rows<Vector, block, 1, 9>>(x);
    if (x.cols <= 9 * block) return fuse<held_rows<Vector, block, 2, 9>>(x);
    if (x.cols <= 12 * block) return fuse<held_rows<Vector, block, 2, 12>>(x);
  }
  if (x.cols <= 16 * block) return fuse<held_rows<Vector, block, 2, 4 * least>>(x);
  if constexpr (!scalar)
    if (x.cols <= 32 * block) return fuse<staged_rows<Vector, block, 1, 8>>(x);
  return two_passes::launch<Vector>(x);
}

void matrix_vector(const float* a, const float* v, float* b, int rows, int cols) {
  if (cols <= 2 * most_threads)
    short_rows<<<divide_up(rows, most_threads / lanes), most_threads>>>(a, v, b, rows, cols);
  else
    two_passes::parts_of_rows<<<rows, two_passes::threads>>>(a, v, b, cols, 1, cols);
}

void transpose_vector(const float* a, const float* b, float* c, int rows, int cols) {
  const int count = two_passes::split_of<float>({a, nullptr, nullptr, c, rows, cols}).shares;
  float* shares = count == 1 ? c : scratch(std::size_t(count) * cols);
  two_passes::launch_columns<true>(a, b, nullptr, shares, rows, cols, 1, count);
  add_up(shares, c, count, cols);
}

void ata_vector(const float* a, const float* v, float* b, float* c, int rows, int cols) {
  const problem x{a, v, b, c, rows, cols};
  const auto places =
      reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(v) | reinterpret_cast<std::uintptr_t>(c);
  const bool aligned = places % sizeof(float4) == 0 && cols % 4 == 0;
  const int count = aligned ? launch_best<float4>(x) : launch_best<float>(x);
  add_up(scratch(0), c, count, cols);
}
