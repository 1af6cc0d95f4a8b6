#include <vector>  // std::vector<T> x(n) is an array of n elements that frees itself

#include "lab.hpp"

constexpr int tile = 32;  // a block of 32 x 32 threads owns a tile of c

// Thread (x, y) of a block sums a[row][k] * b[k][col] for its element (row, col) of c, but over one part of the common
// dimension only, first <= k < last. Tile by tile, as in lab 07; elements outside of the part count as zero.
__device__ float sum_of_part(const float* a, const float* b, int n, int m, int p, int first, int last) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, col = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int start = first; start < last; start += tile) {
    const int a_col = start + threadIdx.x, b_row = start + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < n && a_col < last ? a[row * m + a_col] : 0;
    b_tile[threadIdx.y][threadIdx.x] = b_row < last && col < p ? b[b_row * p + col] : 0;
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < tile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();  // no thread needs them any more
  }
  return sum;
}

// The owner of element (row, col) stores its part's sum in `own`, which has n x p elements.
__global__ void store_part(const float* a, const float* b, float* own, int n, int m, int p, int first, int last) {
  const float sum = sum_of_part(a, b, n, m, p, first, last);
  const int row = blockIdx.y * tile + threadIdx.y, col = blockIdx.x * tile + threadIdx.x;
  if (row < n && col < p) own[row * p + col] = sum;
}

static dim3 grid_for(int n, int p) { return dim3((p + tile - 1) / tile, (n + tile - 1) / tile); }

// Stage 1. Products that do not depend on each other: c_k = a_k b_k, each in a stream of its own.
void matmul_batch(const float* a, const float* b, float* c, int n, int m, int p, int count) {
  std::vector<cudaStream_t> streams(count);
  for (int k = 0; k < count; ++k) {
    const float *a_k = a + size_t(k) * n * m, *b_k = b + size_t(k) * m * p;
    float* c_k = c + size_t(k) * n * p;
    // TODO 1.1: create stream k. In it, launch store_part(a_k, b_k, c_k, n, m, p, 0, m) on grid_for(n, p) blocks.
  }
  // TODO 1.2: destroy all streams.
}

// Stage 2. One product, cut into parts.

// Makes a stream for each part. Their work begins when stream 0, which holds the caller's work, has come to this point.
static std::vector<cudaStream_t> branch(int parts) {
  std::vector<cudaStream_t> streams(parts);
  // TODO 2.1: record an event in stream 0. Create each stream with cudaStreamNonBlocking; make it wait for the event.
  return streams;
}

// Makes stream 0 wait until all streams have done their work, and destroys them. The host does not wait.
static void join(const std::vector<cudaStream_t>& streams) {
  for (cudaStream_t stream : streams) {
    // TODO 2.2: record an event in this stream, and make stream 0 wait for it. Destroy event and stream.
  }
}

// Part k of the common dimension is begin_of(k) <= index < begin_of(k + 1). If there are more than m, some are empty.
static int begin_of(int part, int m, int parts) { return static_cast<int>(static_cast<long long>(m) * part / parts); }

// Thread i owns element i of c and of every accumulator; accumulator k begins at sums + k * elements.
__global__ void add_accumulators(const float* sums, float* c, size_t elements, int parts) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < parts && i < elements; ++k) sum += sums[k * elements + i];
  if (i < elements) c[i] = sum;
}

void matmul_split(const float* a, const float* b, float* c, int n, int m, int p, int parts) {
  const dim3 block(tile, tile), grid = grid_for(n, p);
  const size_t elements = static_cast<size_t>(n) * p;
  float* sums = nullptr;
  cudaMallocAsync(&sums, parts * elements * sizeof(float), 0);
  const auto streams = branch(parts);
  for (int k = 0; k < parts; ++k) {
    const int first = begin_of(k, m, parts), last = begin_of(k + 1, m, parts);
    store_part<<<grid, block, 0, streams[k]>>>(a, b, sums + k * elements, n, m, p, first, last);
  }
  join(streams);
  add_accumulators<<<static_cast<unsigned>((elements + 255) / 256), 256>>>(sums, c, elements, parts);
  cudaFreeAsync(sums, 0);
}

// Stage 3. The parts have no accumulators: the owner of element (row, col) adds its part's sum to c, while kernels in
// other streams add theirs.
__global__ void add_part(const float* a, const float* b, float* c, int n, int m, int p, int first, int last) {
  const float sum = sum_of_part(a, b, n, m, p, first, last);
  const int row = blockIdx.y * tile + threadIdx.y, col = blockIdx.x * tile + threadIdx.x;
  if (row < n && col < p) c[row * p + col] = sum;  // TODO 3: add it, in one step: other streams do the same.
}

void matmul_split_atomic(const float* a, const float* b, float* c, int n, int m, int p, int parts) {
  const dim3 block(tile, tile), grid = grid_for(n, p);
  cudaMemsetAsync(c, 0, sizeof(float) * n * p, 0);  // in stream 0, so before any part
  const auto streams = branch(parts);
  for (int k = 0; k < parts; ++k) {
    const int first = begin_of(k, m, parts), last = begin_of(k + 1, m, parts);
    add_part<<<grid, block, 0, streams[k]>>>(a, b, c, n, m, p, first, last);
  }
  join(streams);
}
