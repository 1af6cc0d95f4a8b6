#include <algorithm>
#include <cstdio>

#include "lab.hpp"

constexpr int block_size = 256;

// Stage 1. Thread k of the whole grid owns elements k, k + stride, k + 2 * stride, ... below n, where `stride` is the
// number of threads in the grid. So every element has one owner, whatever the grid.
__global__ void increment_kernel(float* a, int n) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned stride = gridDim.x * blockDim.x;
  if (first < n) a[first] += 1;  // TODO 1: that is only the first of this thread's elements.
}

// Stage 2. The same threads own the same elements, here of three arrays.
__global__ void multiply_kernel(const float* a, const float* b, float* out, int n) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned stride = gridDim.x * blockDim.x;
  // TODO 2.1: multiply all the elements that this thread owns.
}

// Stage 2. As many blocks as the device holds at a time, but no more than are enough for each element to have a thread.
// `threads` is the number of threads that one multiprocessor holds.
static int blocks_for(int n) {
  int device = 0, multiprocessors = 0, threads = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  const int enough = (n - 1) / block_size + 1;
  return enough;  // TODO 2.2: but no more blocks than the device holds at a time. std::min(x, y) is the smaller.
}

void increment(float* a, int n) { increment_kernel<<<blocks_for(n), block_size>>>(a, n); }

void increment_with(float* a, int n, int blocks, int threads) { increment_kernel<<<blocks, threads>>>(a, n); }

void multiply(const float* a, const float* b, float* out, int n) {
  multiply_kernel<<<blocks_for(n), block_size>>>(a, b, out, n);
}

static bool failed(cudaError_t status, const char* what) {
  if (status != cudaSuccess) std::printf("%s: %s\n", what, cudaGetErrorString(status));
  return status != cudaSuccess;
}

// Stage 3.
void increment_host(float* a, int n) {
  const size_t bytes = n * sizeof(float);
  float* device_a = nullptr;
  if (failed(cudaMalloc(&device_a, bytes), "allocating")) return;
  // TODO 3: copy `a` there, call increment() on it, check cudaGetLastError(), and copy the array back.
  cudaFree(device_a);
}
