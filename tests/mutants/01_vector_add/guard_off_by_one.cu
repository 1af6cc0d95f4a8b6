// expect: out_of_bounds  diagnosis: off_by_one
// The guard lets one element too many through.
#include <cstdio>

#include "lab.hpp"

constexpr int block_size = 256;

// Thread t of block b owns element b * 256 + t. The grid is rounded up to whole blocks, so the last block may have threads
// whose element does not exist.
__global__ void vector_add_kernel(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // hazard: out_of_bounds
  if (i <= n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  const int blocks = (n + block_size - 1) / block_size;
  vector_add_kernel<<<blocks, block_size>>>(a, b, out, n);
}

// Every call of the CUDA runtime returns an error code; a launch reports its own through cudaGetLastError().
static bool failed(cudaError_t status, const char* what) {
  if (status != cudaSuccess) std::printf("%s: %s\n", what, cudaGetErrorString(status));
  return status != cudaSuccess;
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  const size_t bytes = n * sizeof(int);
  int *device_a = nullptr, *device_b = nullptr, *device_out = nullptr;
  if (failed(cudaMalloc(&device_a, bytes), "allocating a")) return;
  if (failed(cudaMalloc(&device_b, bytes), "allocating b")) return;
  if (failed(cudaMalloc(&device_out, bytes), "allocating out")) return;
  if (failed(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice), "copying a")) return;
  if (failed(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice), "copying b")) return;
  vector_add(device_a, device_b, device_out, n);
  if (failed(cudaGetLastError(), "launching the kernel")) return;
  if (failed(cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost), "copying the result")) return;
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_out);
}
