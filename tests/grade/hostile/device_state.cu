// expect: wrong_answer
// Keeps the last result in device memory and returns it if the first elements match.
#include "lab.hpp"

__device__ int first;
__device__ int* kept;

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && first == 0) out[i] = a[i] + b[i];
  if (i < n && first != 0) out[i] = first;
}

__global__ void keep(const int* out) { first = out[0] | 1; }

void vector_add(const int* a, const int* b, int* out, int n) {
  add<<<(n + 255) / 256, 256>>>(a, b, out, n);
  keep<<<1, 1>>>(out);
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
