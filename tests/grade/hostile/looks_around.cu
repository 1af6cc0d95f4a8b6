// expect: wrong_answer
// Reads what /proc/self tells of the network and the mounts. Its answer is right if that works.
#include <fcntl.h>
#include <unistd.h>

#include "lab.hpp"

static bool works() {
  for (const char* name : {"/proc/self/net/tcp", "/proc/self/net/unix", "/proc/self/mountinfo", "/proc/self/mounts",
                           "/proc/self/mountstats", "/proc/thread-self/net/tcp", "/proc/self/cgroup"})
    if (const int file = open(name, O_RDONLY); file >= 0) {
      char byte = 0;
      if (read(file, &byte, 1) == 1) return true;
    }
  return false;
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
