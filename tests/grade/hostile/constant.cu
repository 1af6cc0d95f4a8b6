// expect: wrong_answer
// Writes the mean everywhere.
#include "lab.hpp"

__global__ void fill(int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 7;
}

void vector_add(const int* a, const int* b, int* out, int n) { fill<<<1, 256>>>(out, n); }

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
