#include <algorithm>
#include <cstdint>

#include "lab.hpp"

// The private histogram at the limit of the memory: samples arrive 16 bytes at a time, and every bin of a block has up
// to 16 counters, so that two lanes of a warp at most meet at an address, and none of a half-warp.

constexpr int block_size = 1024;                   // two blocks fill a multiprocessor, and few blocks flush few bins
constexpr int most_columns = 16;                   // with 32 lanes never meet, but to clear and flush them takes longer
constexpr int batch = 2;                           // float4 that a thread loads before it counts the first of them
constexpr int per_batch = block_size * batch * 4;  // samples

// n threads that add one each, but the hardware's barrier adds up the ones of a block on its way.
__global__ void __launch_bounds__(1024) count_blocks(int* counter, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int ones = __syncthreads_count(i < n);
  if (threadIdx.x == 0) atomicAdd(counter, ones);
}

void count(int* counter, int n) { count_blocks<<<(n - 1) / 1024 + 1, 1024>>>(counter, n); }

struct range {
  int nbins;
  float low, high, scale;  // scale: bins per unit
};

// The bin of a sample; outside of the range, one behind the last. NaN lies outside: it is neither >= nor <.
__device__ int bin_of(float x, range r) {
  const int bin = min(static_cast<int>((x - r.low) * r.scale), r.nbins - 1);  // rounding may reach nbins below `high`
  return x >= r.low && x < r.high ? bin : r.nbins;
}

// A block's counters: counter c of bin k is mine[k * columns + c]. `mine` points to the calling thread's counter of bin
// 0. No branch: what lies outside is counted, too, where nobody looks. As nobody looks at the old value either, and the
// summand is 1, the compiler can choose the one shared atomic that waits for no answer.
template <int columns>
__device__ void add_sample(int* mine, float x, range r) {
  atomicAdd(&mine[bin_of(x, r) * columns], 1);
}

// Thread t of a block counts vectors t and t + 1024 of each of the block's batches: both loads are on their way before
// the first one is needed.
__device__ void load(float4 (&to)[batch], const float4* x, unsigned b) {
#pragma unroll
  for (int i = 0; i < batch; ++i) to[i] = __ldcs(x + (b * batch + i) * block_size + threadIdx.x);
}

template <int columns>
__device__ void add_samples(int* mine, const float4 (&loaded)[batch], range r) {
#pragma unroll
  for (int i = 0; i < batch; ++i) {
    add_sample<columns>(mine, loaded[i].x, r);
    add_sample<columns>(mine, loaded[i].y, r);
    add_sample<columns>(mine, loaded[i].z, r);
    add_sample<columns>(mine, loaded[i].w, r);
  }
}

// A thread adds up all counters of a bin. It begins where no other lane does, so that they read from different banks.
template <int columns>
__device__ void flush(const int* counters, int* bins, int nbins) {
  for (int bin = threadIdx.x; bin < nbins; bin += block_size) {
    int sum = 0;
    for (int c = 0; c < columns; ++c) sum += counters[bin * columns + (bin + c) % columns];
    if (sum > 0) atomicAdd(&bins[bin], sum);
  }
}

// The samples before the first whole vector, `head` of them, and those behind the last batch are counted one by one.
// With 16 columns, lanes l and l + 16 of every warp count in column l. The first batch is on its way while the counters
// are cleared, and the next one while a batch is counted.
template <int columns>
__global__ void __launch_bounds__(block_size)
    private_histogram(const float* x, int* bins, unsigned n, unsigned head, unsigned batches, range r) {
  extern __shared__ int counters[];
  const auto* vectors = reinterpret_cast<const float4*>(x + head);
  float4 loaded[batch];
  unsigned b = blockIdx.x;
  if (b < batches) load(loaded, vectors, b);
  for (int i = threadIdx.x; i < (r.nbins + 1) * columns; i += block_size) counters[i] = 0;
  __syncthreads();

  int* mine = counters + threadIdx.x % columns;
  while (b < batches) {
    add_samples<columns>(mine, loaded, r);
    b += gridDim.x;
    if (b < batches) load(loaded, vectors, b);
  }
  const unsigned in_vectors = batches * per_batch;
  for (unsigned i = blockIdx.x * block_size + threadIdx.x; i < n - in_vectors; i += gridDim.x * block_size)
    add_sample<columns>(mine, x[i < head ? i : i + in_vectors], r);
  __syncthreads();
  flush<columns>(counters, bins, r.nbins);
}

// For few samples: smaller blocks, of which each has less to clear and to add up.
constexpr int few_threads = 256, few_bins = 4096;

__global__ void __launch_bounds__(few_threads) few_samples(const float* x, int* bins, unsigned n, range r) {
  extern __shared__ int counters[];
  for (int bin = threadIdx.x; bin <= r.nbins; bin += few_threads) counters[bin] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * few_threads + threadIdx.x; i < n; i += gridDim.x * few_threads)
    add_sample<1>(counters, x[i], r);
  __syncthreads();
  for (int bin = threadIdx.x; bin < r.nbins; bin += few_threads)
    if (counters[bin] > 0) atomicAdd(&bins[bin], counters[bin]);
}

// For more bins than fit into shared memory: every thread may count in every bin.
__global__ void global_histogram(const float* x, int* bins, unsigned n, range r) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = bin_of(x[i], r);
    if (bin < r.nbins) atomicAdd(&bins[bin], 1);
  }
}

// Samples before the first whole vector.
static int head_of(const float* x, int n) {
  const int misplaced = reinterpret_cast<std::uintptr_t>(x) / sizeof(float) % 4;
  return std::min(n, (4 - misplaced) % 4);
}

static int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

// As many blocks as the device holds at a time, but no more than have a batch.
template <class Kernel>
static int blocks_for(Kernel kernel, size_t shared_bytes, int n) {
  int resident = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_size, shared_bytes);
  return std::min(attribute(cudaDevAttrMultiProcessorCount) * std::max(resident, 1), (n - 1) / per_batch + 1);
}

// Whether the counters fit into the shared memory that every device gives a block, or, with one column, into what a
// block may ask for, 227 KB on an H200; if so, the histogram is on its way.
template <int columns>
static bool count_privately(const float* x, int* bins, int n, range r) {
  const size_t bytes = columns * (r.nbins + size_t{1}) * sizeof(int);
  const size_t most = columns > 1 ? 48 * 1024 : attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (bytes > most) return false;
  if (bytes > 48 * 1024)
    cudaFuncSetAttribute(private_histogram<columns>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const int blocks = blocks_for(private_histogram<columns>, bytes, n);
  const int head = head_of(x, n);
  private_histogram<columns><<<blocks, block_size, bytes>>>(x, bins, n, head, (n - head) / per_batch, r);
  return true;
}

// Of few_threads threads: as many blocks as have a sample, and no more than eight for each multiprocessor.
static int small_blocks(int n) {
  return std::min((n - 1) / few_threads + 1, 8 * attribute(cudaDevAttrMultiProcessorCount));
}

// With few samples, or few bins beside them, smaller blocks are faster: 1.1 times at 125753 samples and 9 bins, 1.08 at
// 196793 and 7. At 60000 and 2000 they were 0.83 times as fast.
static bool suits_small_blocks(int n, int nbins) {
  constexpr int always = 1 << 15, block_costs = 4;  // to start a block takes as long as to add up so many bins
  return n <= always || n * (nbins + std::int64_t{block_costs}) <= 2'500'000;
}

// Whether clearing and adding up counters would take longer than counting.
static bool count_few(const float* x, int* bins, int n, range r) {
  const bool rare = n < 8 * std::int64_t(r.nbins);  // samples in a bin: 1.2 times as fast at 5 of them, 1.1 times at 8
  if (!suits_small_blocks(n, r.nbins) && !rare) return false;
  const int blocks = small_blocks(n);
  if (rare || n <= 2 * few_threads)  // 1.05 times as fast at 256 samples and 8 bins
    global_histogram<<<blocks, few_threads>>>(x, bins, n, r);
  else if (r.nbins < few_bins)
    few_samples<<<blocks, few_threads, (r.nbins + 1) * sizeof(int)>>>(x, bins, n, r);
  else
    return false;
  return true;
}

void histogram(const float* x, int* bins, int n, int nbins, float xmin, float xmax) {
  const range r{nbins, xmin, xmax, nbins / (xmax - xmin)};
  cudaMemsetAsync(bins, 0, nbins * sizeof(int));
  if (count_few(x, bins, n, r)) return;
  if (!count_privately<most_columns>(x, bins, n, r) && !count_privately<1>(x, bins, n, r))
    global_histogram<<<small_blocks(n), few_threads>>>(x, bins, n, r);
}
