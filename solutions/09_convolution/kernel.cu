#include "lab.hpp"

// Stage 1: one dimension.

constexpr int line = 256;  // outputs of a block, and its threads

// Outputs first, ..., first + 255 need the inputs first, ..., first + 255 and a halo of p - 1 more.
__global__ void line_kernel(const float* in, const float* filter, float* out, int n, int p) {
  __shared__ float part[line + longest_filter - 1];
  const int first = blockIdx.x * line;
  for (int k = threadIdx.x; k < line + p - 1 && first + k < n; k += line) part[k] = in[first + k];
  __syncthreads();

  const int i = first + threadIdx.x;
  if (i >= n - p + 1) return;
  float sum = 0;
  for (int u = 0; u < p; ++u) sum += filter[u] * part[threadIdx.x + u];
  out[i] = sum;
}

void convolve_line(const float* in, const float* filter, float* out, int n, int p) {
  line_kernel<<<(n - p) / line + 1, line>>>(in, filter, out, n, p);
}

// Stage 2: two dimensions.

constexpr int tile = 32;                   // a block computes a tile of 32 x 32 outputs ...
constexpr int block_rows = 8;              // ... with 32 x 8 threads, so each thread computes four
constexpr size_t shared_most = 48 * 1024;  // bytes of shared memory that any block may have

__constant__ float constant_filter[shared_most / sizeof(float)];  // no filter is larger than the tile that it needs

// How much of the input n neighbouring outputs cover along one axis. `__host__ __device__` compiles it for both sides.
__host__ __device__ size_t covered(int n, int filter, int stride) { return size_t(n - 1) * stride + filter; }

// The naive kernel, still needed where the tile would be too large. Each thread owns one output and loads p x q inputs,
// most of which its neighbours load as well.
__global__ void direct_kernel(const float* in, const float* filter, float* out, int m, int p, int q, int stride,
                              int out_rows, int out_cols) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size_t(out_rows) * out_cols) return;

  const float* corner = in + i / out_cols * stride * m + i % out_cols * stride;
  float sum = 0;
  for (int u = 0; u < p; ++u) {
    for (int v = 0; v < q; ++v) sum += filter[u * q + v] * corner[size_t(u) * m + v];
  }
  out[i] = sum;
}

// The tiled kernel. First a block loads every input that its 32 x 32 outputs need, once: height x width elements. Then
// thread (x, y) computes the outputs of column x and rows y, y + 8, y + 16 and y + 24 of the tile from shared memory.
// `extern __shared__` is an array whose size the launch gives in bytes: the third value between <<< and >>>.
__global__ void tiled_kernel(const float* in, float* out, int n, int m, int p, int q, int stride, int out_rows,
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

void convolve(const float* in, const float* filter, float* out, int n, int m, int p, int q, int stride) {
  const int out_rows = (n - p) / stride + 1, out_cols = (m - q) / stride + 1;
  const size_t shared_bytes = covered(tile, p, stride) * covered(tile, q, stride) * sizeof(float);
  if (shared_bytes <= shared_most) {
    cudaMemcpyToSymbolAsync(constant_filter, filter, p * q * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    const dim3 grid((out_cols - 1) / tile + 1, (out_rows - 1) / tile + 1);
    tiled_kernel<<<grid, dim3(tile, block_rows), shared_bytes>>>(in, out, n, m, p, q, stride, out_rows, out_cols);
  } else {
    const unsigned blocks = (size_t(out_rows) * out_cols - 1) / 256 + 1;
    direct_kernel<<<blocks, 256>>>(in, filter, out, m, p, q, stride, out_rows, out_cols);
  }
}
