#include "lab.hpp"

constexpr int lanes = 32, warps = 8;  // of a block: threadIdx.x is the lane, threadIdx.y the warp
constexpr int part = lanes * warps;   // elements of the vector that a block holds in shared memory at a time

// Copies x[0], ..., x[n - 1] to shared memory; each thread of the block copies one element, if there are so many.
__device__ void stage(const float* x, int n, float* staged) {
  const int k = threadIdx.y * lanes + threadIdx.x;
  __syncthreads();  // every warp has finished with the previous part
  if (k < n) staged[k] = x[k];
  __syncthreads();  // this part is complete
}

// Stage 1. The sum of the 32 lanes' values, for lane 0. __shfl_down_sync(0xffffffff, value, offset) returns the value
// of the lane `offset` above this one; the mask 0xffffffff says that all 32 lanes take part.
__device__ float sum_of_warp(float value) {
  for (int offset = lanes / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

// Stage 1. A v: warp y of block (i, s) owns row 8 i + y, within share s of the columns. Lane x takes every 32nd
// element.
__global__ void rows_kernel(const float* a, const float* v, float* sums, int rows, int cols, int share) {
  __shared__ float staged[part];
  const int row = blockIdx.x * warps + threadIdx.y;
  const int begin = blockIdx.y * share;
  const int end = min(cols, begin + share);

  float sum = 0;
  for (int first = begin; first < end; first += part) {
    const int n = min(part, end - first);
    stage(v + first, n, staged);
    const float* row_part = a + size_t(row) * cols + first;
    if (row < rows) {
      for (int k = threadIdx.x; k < n; k += lanes) sum += row_part[k] * staged[k];
    }
  }
  sum = sum_of_warp(sum);
  if (row < rows && threadIdx.x == 0) sums[size_t(blockIdx.y) * rows + row] = sum;
}

// Stage 2. A^T b: lane x of block (i, s) owns column 32 i + x, within share s of the rows. Warp y takes every 8th row.
__global__ void columns_kernel(const float* a, const float* b, float* sums, int rows, int cols, int share) {
  __shared__ float staged[part];
  __shared__ float warp_sums[warps][lanes];
  const int col = blockIdx.x * lanes + threadIdx.x;
  const int begin = blockIdx.y * share;
  const int end = min(rows, begin + share);

  float sum = 0;
  for (int first = begin; first < end; first += part) {
    const int n = min(part, end - first);
    stage(b + first, n, staged);
    const float* column_part = a + size_t(first) * cols + col;
    if (col < cols) {
      for (int k = threadIdx.y; k < n; k += warps) sum += column_part[size_t(k) * cols] * staged[k];
    }
  }
  warp_sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();  // the sums of all warps are there
  for (int half = warps / 2; half > 0; half /= 2) {
    if (threadIdx.y < half) warp_sums[threadIdx.y][threadIdx.x] += warp_sums[threadIdx.y + half][threadIdx.x];
    __syncthreads();  // outside of any `if`: all warps of the block must come here
  }
  if (col < cols && threadIdx.y == 0) sums[size_t(blockIdx.y) * cols + col] = warp_sums[0][threadIdx.x];
}

// Stage 3. Thread i adds the shares of element i. Row s of `sums` is share s of all n elements.
__global__ void add_shares(const float* sums, float* out, int n, int shares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int s = 0; s < shares; ++s) sum += sums[size_t(s) * n + i];
  out[i] = sum;
}

static int divide_up(int a, int b) { return (a - 1) / b + 1; }

// Stages 1 and 2: one share, so the kernel's sums are the results.
void matrix_vector(const float* a, const float* v, float* b, int rows, int cols) {
  rows_kernel<<<divide_up(rows, warps), dim3(lanes, warps)>>>(a, v, b, rows, cols, cols);
}

void transpose_vector(const float* a, const float* b, float* c, int rows, int cols) {
  columns_kernel<<<divide_up(cols, lanes), dim3(lanes, warps)>>>(a, b, c, rows, cols, rows);
}

// Stage 3. How many terms of each sum one block takes: few enough for the grid to fill the device, but at least two
// whole parts. (`template` lets one function serve two kernels: Kernel stands for the type of either.)
template <class Kernel>
static int share_of(Kernel kernel, int blocks, int terms) {
  int device = 0, multiprocessors = 0, resident = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, warps * lanes, 0);
  const int shares = max(1, multiprocessors * resident / blocks);
  return max(2, divide_up(divide_up(terms, shares), part)) * part;
}

void ata_vector(const float* a, const float* v, float* b, float* c, int rows, int cols) {
  const int row_blocks = divide_up(rows, warps), col_blocks = divide_up(cols, lanes);
  const int col_share = share_of(rows_kernel, row_blocks, cols), col_shares = divide_up(cols, col_share);
  const int row_share = share_of(columns_kernel, col_blocks, rows), row_shares = divide_up(rows, row_share);

  float* sums = nullptr;  // one row for each share; first for b, then for c
  const size_t elements = max(size_t(col_shares) * rows, size_t(row_shares) * cols);
  if (cudaMallocAsync(&sums, elements * sizeof(float), nullptr) != cudaSuccess) return;
  const dim3 block(lanes, warps);
  rows_kernel<<<dim3(row_blocks, col_shares), block>>>(a, v, sums, rows, cols, col_share);
  add_shares<<<divide_up(rows, 256), 256>>>(sums, b, rows, col_shares);
  columns_kernel<<<dim3(col_blocks, row_shares), block>>>(a, b, sums, rows, cols, row_share);
  add_shares<<<divide_up(cols, 256), 256>>>(sums, c, cols, row_shares);
  cudaFreeAsync(sums, nullptr);
}
