// expect: wrong_answer | pass
// Returns an old answer if an input has an earlier input's address. On the simulator addresses never repeat.
#include <unordered_map>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

static std::unordered_map<const void*, int*> known;

void vector_add(const int* a, const int* b, int* out, int n) {
  int*& old = known[a];
  if (!old) {
    add<<<(n + 255) / 256, 256>>>(a, b, out, n);
    cudaMalloc(&old, (n + 1) * sizeof(int));
    cudaMemcpy(old, out, n * sizeof(int), cudaMemcpyDeviceToDevice);
  }
  cudaMemcpy(out, old, n * sizeof(int), cudaMemcpyDeviceToDevice);
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
