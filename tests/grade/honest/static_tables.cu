// expect: pass
// Builds a static table once.
#include <array>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

static const std::array<int, 256>& table() {
  static const std::array<int, 256> all = [] {
    std::array<int, 256> t{};
    for (int i = 0; i < 256; ++i) t[i] = i;
    return t;
  }();
  return all;
}

void vector_add(const int* a, const int* b, int* out, int n) {
  const int threads = table()[128];
  add<<<(n + threads - 1) / threads, threads>>>(a, b, out, n);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  int *da, *db, *dout;
  const size_t bytes = n * sizeof(int);
  cudaMalloc(&da, bytes);
  cudaMalloc(&db, bytes);
  cudaMalloc(&dout, bytes);
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
  vector_add(da, db, dout, n);
  cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dout);
}
