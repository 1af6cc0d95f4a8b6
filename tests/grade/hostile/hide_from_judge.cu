// expect: timeout
// Disables the signal for its parent's death, then waits.
#include <sys/prctl.h>
#include <unistd.h>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  prctl(PR_SET_PDEATHSIG, 0);
  prctl(PR_SET_NAME, "kworker/0:1");
  for (;;) pause();
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
