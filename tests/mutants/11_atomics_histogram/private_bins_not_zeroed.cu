// expect: wrong_answer | nondeterministic | race  diagnosis: scattered | wrong_everywhere | nondeterministic | - | constant_offset | adds_to_output | every_kth | constant_factor
// The private bins begin with what shared memory held.
#include <algorithm>

#include "lab.hpp"

constexpr int block_size = 256;
constexpr size_t shared_limit = 48 * 1024;  // bytes of shared memory that every device gives a block

// Thread i < n adds one to the only counter: all threads share one element. To add is to load, to add and to store, and
// what another thread stores in between is lost.
__global__ void count_kernel(int* counter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(counter, 1);
}

void count(int* counter, int n) { count_kernel<<<(n - 1) / block_size + 1, block_size>>>(counter, n); }

// The bin of a sample, or -1 if it lies outside of [xmin, xmax). NaN lies outside: it is neither >= nor <.
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

// The same samples, but a block counts in bins of its own, which only its 256 threads share, and adds them up at the
// end. For zeroing and for adding up, thread t owns bins t, t + 256, ...
__global__ void private_histogram(const float* x, int* bins, int n, int nbins, float xmin, float xmax) {
  extern __shared__ int mine[];
  __syncthreads();  // nobody may count in a bin that its owner has yet to set to zero

  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    const int bin = bin_of(x[i], nbins, xmin, xmax);
    // hazard: uninitialized_read
    if (bin >= 0) atomicAdd(&mine[bin], 1);
  }
  __syncthreads();  // nobody may add up a bin in which others still count

  for (int bin = threadIdx.x; bin < nbins; bin += blockDim.x)
    // hazard: uninitialized_read
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
