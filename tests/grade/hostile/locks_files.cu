// expect: wrong_answer
// Locks a file that other jobs can read, or asks for their locks. Its answer is right if one of the ways works.
#include <dlfcn.h>
#include <fcntl.h>

#include "lab.hpp"

static bool works() {
  Dl_info mine;
  dladdr(reinterpret_cast<void*>(&vector_add), &mine);
  const int own = open(mine.dli_fname, O_RDONLY), of_all = open("/usr/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY);
  for (const int file : {own, of_all})
    for (const int command : {F_SETLK, F_SETLKW, F_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_OFD_GETLK}) {
      struct flock lock {};
      lock.l_type = F_RDLCK;
      lock.l_whence = SEEK_SET;
      if (fcntl(file, command, &lock) == 0) return true;
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
