#include <algorithm>

#include "lab.hpp"

constexpr int block_size = 256;
constexpr size_t shared_limit = 48 * 1024;  // bytes of shared memory that every device gives a block

// Stage 1. Thread i < n adds one to the only counter: all threads share one element.
__global__ void count_kernel(int* counter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO 1: put one atomic addition in place of the three lines below.
  const int seen = counter[0];       // load
  __syncthreads();                   // all threads of the block have loaded, none has stored
  if (i < n) counter[0] = seen + 1;  // add, store
}

void count(int* counter, int n) { count_kernel<<<(n - 1) / block_size + 1, block_size>>>(counter, n); }

// The bin of a sample, or -1 if it is outside of [xmin, xmax). NaN is outside: it is neither >= nor <.
__device__ int bin_of(float x, int nbins, float xmin, float xmax) {
  if (!(x >= xmin && x < xmax)) return -1;
  const float scale = nbins / (xmax - xmin);
  return min(static_cast<int>((x - xmin) * scale), nbins - 1);  // just below xmax, rounding may reach nbins
}

// Thread k of the grid owns samples k, k + stride, ...; every thread may count in every bin.
__global__ void global_histogram(const float* x, int* bins, int n, int nbins, float xmin, float xmax) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    const int bin = bin_of(x[i], nbins, xmin, xmax);
    if (bin >= 0) atomicAdd(&bins[bin], 1);
  }
}

// Stage 2. The same samples, but a block counts in bins of its own, which only its 256 threads share, and adds them to
// `bins` at the end. For zeroing and for adding up, thread t owns bins t, t + 256, ...
__global__ void private_histogram(const float* x, int* bins, int n, int nbins, float xmin, float xmax) {
  extern __shared__ int mine[];
  for (int bin = threadIdx.x; bin < nbins; bin += blockDim.x) mine[bin] = 0;
  // TODO 2: count the samples of global_histogram's loop in `mine`, between two barriers. Why are both needed?

  for (int bin = threadIdx.x; bin < nbins; bin += blockDim.x)
    if (mine[bin] > 0) atomicAdd(&bins[bin], mine[bin]);
}

// As many blocks as the device holds at a time, but no more than have a sample.
static int blocks_for(int n) {
  int device = 0, multiprocessors = 0, threads = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  return std::min(multiprocessors * (threads / block_size), (n - 1) / block_size + 1);
}

void histogram(const float* x, int* bins, int n, int nbins, float xmin, float xmax) {
  const size_t bytes = nbins * sizeof(int);
  cudaMemsetAsync(bins, 0, bytes);  // memory holds anything; counting starts from zero
  if (bytes <= shared_limit)
    private_histogram<<<blocks_for(n), block_size, bytes>>>(x, bins, n, nbins, xmin, xmax);
  else
    global_histogram<<<blocks_for(n), block_size>>>(x, bins, n, nbins, xmin, xmax);
}
