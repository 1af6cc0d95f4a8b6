// expect: wrong_answer
// Watches accesses of other processes to files. Its answer is right if one of the ways works.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/inotify.h>

#include "lab.hpp"

static bool works() {
  Dl_info mine;
  dladdr(reinterpret_cast<void*>(&vector_add), &mine);
  const int file = open(mine.dli_fname, O_RDONLY), folder = open("/usr/lib", O_RDONLY | O_DIRECTORY);
  return inotify_init1(0) >= 0 || fcntl(file, F_SETLEASE, F_RDLCK) == 0 || fcntl(folder, F_NOTIFY, DN_ACCESS) == 0;
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
