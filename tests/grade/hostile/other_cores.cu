// expect: wrong_answer
// Leaves the cores of its job, and changes those of its parent. Its answer is right if that works.
#include <sched.h>
#include <unistd.h>

#include "lab.hpp"

static bool works() {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int core = 0; core < 64; ++core) CPU_SET(core, &all);
  return sched_setaffinity(0, sizeof all, &all) == 0 || sched_setaffinity(getppid(), sizeof all, &all) == 0;
}

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  if (works()) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
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
