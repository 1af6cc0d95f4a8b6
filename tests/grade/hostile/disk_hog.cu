// expect: wrong_answer | output_limit
// Writes large files wherever it can.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  const std::vector<char> megabyte(1 << 20, 'x');
  for (const std::string folder : {"/tmp/", "/var/tmp/", "/dev/shm/", "./", "/proc/self/cwd/"})
    for (int i = 0; i < 32; ++i) {
      const int file = open((folder + "lab-hostile-" + std::to_string(i)).c_str(), O_CREAT | O_WRONLY, 0600);
      for (int j = 0; file >= 0 && j < 16; ++j)
        if (write(file, megabyte.data(), megabyte.size()) < 0) break;
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
