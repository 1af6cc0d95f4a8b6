// expect: wrong_answer
// Right only for the sizes in the lesson.
#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  if (n == 1000 || n == 300007) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
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
