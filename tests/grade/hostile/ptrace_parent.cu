// expect: wrong_answer
// Attaches to the judge with ptrace and reads its memory.
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  char stolen[64] = {};
  const int judge = getppid();
  ptrace(PTRACE_ATTACH, judge, nullptr, nullptr);
  iovec here{stolen, sizeof stolen}, there{reinterpret_cast<void*>(0x400000), sizeof stolen};
  process_vm_readv(judge, &here, 1, &there, 1, 0);
  process_vm_writev(judge, &here, 1, &there, 1, 0);
  open(("/proc/" + std::to_string(judge) + "/mem").c_str(), O_RDWR);
  open(("/proc/" + std::to_string(judge) + "/environ").c_str(), O_RDONLY);
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
