#include <cstdint>
#include <cstdio>

#include "lab.hpp"

// Vector addition at the limit of the memory: each thread adds one int4, four elements. Blocks of 512 threads have 8 KB of
// each input in flight. More loads a thread, or hints that nothing will be read twice, made no size faster and most slower:
// they leave fewer warps, and memory sees fewer addresses at a time.

constexpr int block_size = 512;
constexpr int scalar_block_size = 256;
constexpr int vector = 4;        // elements in an int4
constexpr int few = 128 * 1024;  // elements: a thread each, so that all multiprocessors have some

__device__ int4 sum(int4 a, int4 b) { return make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

// Thread i adds vector i. The threads behind the last vector add the elements that are left over, at most three.
__global__ void __launch_bounds__(block_size) add_vectors(const int* __restrict__ a, const int* __restrict__ b,
                                                          int* __restrict__ out, unsigned vectors, unsigned n) {
  const unsigned i = blockIdx.x * block_size + threadIdx.x;
  if (i < vectors) {
    const int4 left = reinterpret_cast<const int4*>(a)[i], right = reinterpret_cast<const int4*>(b)[i];
    reinterpret_cast<int4*>(out)[i] = sum(left, right);
  } else if (const unsigned k = vectors * vector + (i - vectors); k < n) {
    out[k] = a[k] + b[k];
  }
}

// Thread i adds element i, for few elements and for arrays that do not begin at a multiple of 16 bytes.
__global__ void __launch_bounds__(scalar_block_size) add_scalars(const int* a, const int* b, int* out, unsigned n) {
  const unsigned i = blockIdx.x * scalar_block_size + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  const auto address = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) |
                       reinterpret_cast<std::uintptr_t>(out);
  const int vectors = n / vector, threads = vectors + n % vector;
  if (n > few && address % sizeof(int4) == 0)
    add_vectors<<<(threads - 1) / block_size + 1, block_size>>>(a, b, out, vectors, n);
  else
    add_scalars<<<(n - 1) / scalar_block_size + 1, scalar_block_size>>>(a, b, out, n);
}

// The host side is bound by the bus, not by the kernel; it stays as it was.
static bool failed(cudaError_t status, const char* what) {
  if (status != cudaSuccess) std::printf("%s: %s\n", what, cudaGetErrorString(status));
  return status != cudaSuccess;
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  const size_t bytes = n * sizeof(int);
  int* device = nullptr;  // a, b and out in one allocation, each at a multiple of 256 bytes
  const size_t stride = (bytes + 255) / 256 * 256 / sizeof(int);
  if (failed(cudaMalloc(&device, 3 * stride * sizeof(int)), "allocating")) return;
  int *device_a = device, *device_b = device + stride, *device_out = device + 2 * stride;
  if (!failed(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice), "copying a") &&
      !failed(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice), "copying b")) {
    vector_add(device_a, device_b, device_out, n);
    if (!failed(cudaGetLastError(), "launching the kernel"))
      failed(cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost), "copying the result");
  }
  cudaFree(device);
}
