#include <algorithm>
#include <cstdio>

#include "lab.hpp"

constexpr int block_size = 256;

// Stage 1. Thread k of the whole grid owns elements k, k + stride, k + 2 * stride, ... below n, where `stride` is the
// number of threads in the grid. So every element has one owner, whatever the grid.
__global__ void increment_kernel(float* a, int n) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = first; i < n; i += stride) a[i] += 1;
}

// Stage 2. The same threads own the same elements, here of three arrays.
__global__ void multiply_kernel(const float* a, const float* b, float* out, int n) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = first; i < n; i += stride) out[i] = a[i] * b[i];
}

// Stage 2. As many blocks as the device holds at a time, but no more than are enough for each element to have a thread.
// `threads` is the number of threads that one multiprocessor holds.
static int blocks_for(int n) {
  int device = 0, multiprocessors = 0, threads = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  const int enough = (n - 1) / block_size + 1;
  return std::min(enough, multiprocessors * (threads / block_size));
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
  failed(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice), "copying to the device");
  increment(device_a, n);
  failed(cudaGetLastError(), "launching");
  failed(cudaMemcpy(a, device_a, bytes, cudaMemcpyDeviceToHost), "copying back");
  cudaFree(device_a);
}
