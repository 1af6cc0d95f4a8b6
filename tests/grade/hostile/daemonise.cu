// expect: wrong_answer
// Leaves a process running that writes a verdict later.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  if (fork() != 0) return;
  setsid();
  for (int s = 1; s < 32; ++s) signal(s, SIG_IGN);
  if (fork() != 0) _exit(0);
  sleep(5);
  open("/tmp/lab-hostile-daemon", O_CREAT | O_WRONLY, 0666);
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
