// expect: pass
// Computes on the host. The answer is right, and the host's time counts.
#include <vector>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  std::vector<int> x(n), y(n);
  cudaMemcpy(x.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(y.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) x[i] += y[i];
  cudaMemcpy(out, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
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
