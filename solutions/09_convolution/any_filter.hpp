#pragma once

#include <algorithm>
#include <cstdint>

// Every filter and stride but the square filters of encore.cu.
namespace any_filter {

constexpr int tile = 32;                   // a block computes a tile of 32 x 32 outputs ...
constexpr int block_rows = 8;              // ... with 32 x 8 threads
constexpr size_t shared_most = 48 * 1024;  // bytes of shared memory that any block may have

__constant__ float constant_filter[shared_most / sizeof(float)];  // no filter is larger than the tile that it needs

// How much of the input n neighbouring outputs cover along one axis.
__host__ __device__ size_t covered(int n, int filter, int stride) { return size_t(n - 1) * stride + filter; }

// One output a thread: as many threads as there can be, for few outputs and for narrow ones.
static __global__ void direct_kernel(const float* __restrict__ in, const float* __restrict__ filter,
                                     float* __restrict__ out, int m, int p, int q, int stride, int out_cols,
                                     unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float* row = in + size_t(i / out_cols) * stride * m + size_t(i % out_cols) * stride;
  float sum = 0;
  for (int u = 0; u < p; ++u, row += m) {
    for (int v = 0; v < q; ++v) sum += filter[u * q + v] * row[v];
  }
  out[i] = sum;
}

// Few outputs under a filter of many elements: so many neighbouring lanes share the products of an output.
template <int sharing>
__global__ void shared_kernel(const float* __restrict__ in, const float* __restrict__ filter, float* __restrict__ out,
                              int m, unsigned taps, unsigned q, int stride, int out_cols, unsigned count) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread % sharing;
  const unsigned wanted = thread / sharing, i = min(wanted, count - 1);  // all lanes take part in the shuffles
  const float* corner = in + size_t(i / out_cols) * stride * m + size_t(i % out_cols) * stride;
  float sum = 0;
#pragma unroll 4
  for (unsigned k = lane; k < taps; k += sharing) sum += filter[k] * corner[size_t(k / q) * m + k % q];
#pragma unroll
  for (int offset = sharing / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (lane == 0 && wanted < count) out[i] = sum;
}

// `tall` outputs a thread, one below the other: each element of the filter is loaded once for all of them. Four steps
// at a time are unrolled, so that their loads wait for memory together.
template <int tall>
__global__ void column_kernel(const float* __restrict__ in, const float* __restrict__ filter, float* __restrict__ out,
                              int m, int p, int q, int stride, int out_rows, int out_cols) {
  const int col = blockIdx.x * tile + threadIdx.x;
  if (col >= out_cols) return;
  const std::int64_t threads_down = std::int64_t(gridDim.y) * block_rows;  // a grid has at most 65,535 blocks downwards
  for (std::int64_t i = blockIdx.y * block_rows + threadIdx.y; i * tall < out_rows; i += threads_down) {
    float sums[tall] = {};
    const float* rows[tall];
#pragma unroll
    for (int k = 0; k < tall; ++k)
      rows[k] = in + min(i * tall + k, std::int64_t(out_rows - 1)) * stride * m + std::int64_t(col) * stride;
    const float* weights = filter;
    for (int u = 0; u < p; ++u, weights += q) {
#pragma unroll 4
      for (int v = 0; v < q; ++v)
#pragma unroll
        for (int k = 0; k < tall; ++k) sums[k] += weights[v] * rows[k][v];
#pragma unroll
      for (int k = 0; k < tall; ++k) rows[k] += m;
    }
#pragma unroll
    for (int k = 0; k < tall; ++k)
      if (i * tall + k < out_rows) out[(i * tall + k) * out_cols + col] = sums[k];
  }
}

// The lab's kernel, for large filters. First a block loads every input that its 32 x 32 outputs need, once: height x
// width elements. Then thread (x, y) computes the outputs of column x and rows y, y + 8, y + 16 and y + 24 of the tile.
static __global__ void tiled_kernel(const float* in, float* out, int n, int m, int p, int q, int stride, int out_rows,
                                    int out_cols) {
  extern __shared__ float shared[];
  const int height = covered(tile, p, stride), width = covered(tile, q, stride);
  const int first_row = blockIdx.y * tile * stride;  // where the tile begins in `in`
  const int first_col = blockIdx.x * tile * stride;
  for (int r = threadIdx.y; r < height && first_row + r < n; r += block_rows) {
    const float* from = in + size_t(first_row + r) * m + first_col;
    for (int c = threadIdx.x; c < width && first_col + c < m; c += tile) shared[r * width + c] = from[c];
  }
  __syncthreads();  // the tile and its halo are complete

  const int col = blockIdx.x * tile + threadIdx.x;
  for (int r = threadIdx.y; r < tile; r += block_rows) {
    const int row = blockIdx.y * tile + r;
    if (row >= out_rows || col >= out_cols) continue;
    const float* corner = shared + r * stride * width + threadIdx.x * stride;
    float sum = 0;
    for (int u = 0; u < p; ++u) {
      for (int v = 0; v < q; ++v) sum += constant_filter[u * q + v] * corner[u * width + v];
    }
    out[size_t(row) * out_cols + col] = sum;
  }
}

constexpr int most_down = 65'535;  // blocks in a grid, downwards
constexpr size_t few = 135'000;    // threads, up to which lanes share an output: up to 2.7 times as fast on an H100
constexpr int least_shared = 8;    // elements of such a filter
constexpr size_t some = 150'000;   // outputs; with fewer, or few rows, two for a thread leave too few threads: 1.45
                                   // times as long at 19 x 34821 with 12 x 1, 1.36 at 5 x 100003 with 1 x 3, and with
                                   // one column and 9 rows of outputs, 20 x 34821 with 12 x 1, 1.34
constexpr size_t many = 400'000;   // the same for four
constexpr int narrow = 24;         // columns of outputs that leave too many of 32 lanes without work
constexpr int large_stride = 3;  // neighbouring outputs have few common inputs: 1.7 times as fast with two at stride 4
constexpr int long_row = 5;      // elements of a filter of one row from which on two are 1.05 to 1.14 times as fast
constexpr int large_filter = 500;  // elements from which on a filter with a stride gains from shared memory

inline void launch(const float* in, const float* filter, float* out, int n, int m, int p, int q, int stride) {
  const int out_rows = (n - p) / stride + 1, out_cols = (m - q) / stride + 1;
  const size_t count = size_t(out_rows) * out_cols;
  const size_t shared_bytes = covered(tile, p, stride) * covered(tile, q, stride) * sizeof(float);
  const bool few_rows = out_rows <= block_rows || (q == 1 && out_rows < 2 * block_rows);
  const dim3 block(tile, block_rows);
  const auto grid = [&](int tall) {
    return dim3((out_cols - 1) / tile + 1, std::min((out_rows - 1) / (tall * block_rows) + 1, most_down));
  };
  const auto share = [&](auto kernel, int sharing) {
    const unsigned blocks = (count * sharing - 1) / 256 + 1, taps = p * q;
    kernel<<<blocks, 256>>>(in, filter, out, m, taps, q, stride, out_cols, count);
  };
  if (count * 8 <= few && size_t(p) * q >= least_shared && size_t(p) * q <= INT32_MAX) {
    if (count * 32 <= few)
      share(shared_kernel<32>, 32);
    else
      share(shared_kernel<8>, 8);
  } else if (count <= UINT32_MAX && (count < some || out_cols < narrow || few_rows)) {
    direct_kernel<<<unsigned((count - 1) / 256 + 1), 256>>>(in, filter, out, m, p, q, stride, out_cols, count);
  } else if (stride > 1 && p * q >= large_filter && shared_bytes <= shared_most && out_rows <= most_down * tile) {
    cudaMemcpyToSymbolAsync(constant_filter, filter, p * q * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    tiled_kernel<<<grid(4), block, shared_bytes>>>(in, out, n, m, p, q, stride, out_rows, out_cols);
  } else if (count < many || stride >= large_stride || out_rows < (stride > 1 ? 4 : 2) * block_rows ||
             (p == 1 && q >= long_row)) {
    column_kernel<2><<<grid(2), block>>>(in, filter, out, m, p, q, stride, out_rows, out_cols);
  } else {
    column_kernel<4><<<grid(4), block>>>(in, filter, out, m, p, q, stride, out_rows, out_cols);
  }
}

}  // namespace any_filter
