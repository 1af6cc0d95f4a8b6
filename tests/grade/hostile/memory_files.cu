// expect: wrong_answer
// Hides memory in unnamed files.
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  const std::vector<char> megabyte(1 << 20, 'x');
  for (int i = 0; i < 200; ++i) {
    const int file = memfd_create("hidden", 0);
    for (int j = 0; file >= 0 && j < 15; ++j)
      if (write(file, megabyte.data(), megabyte.size()) < 0) return;
  }
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
