// expect: wrong_answer
// Writes a verdict in an exit handler when the runner ends.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

static void rewrite() {
  const char verdict[] = "{\"score\": 100}";
  if (ftruncate(1, 0) != 0) std::puts("PASS");
  for (const char* file : {"/autograder/results/results.json", "results.json", "/tmp/results.json"}) {
    const int to = open(file, O_CREAT | O_WRONLY, 0666);
    if (to >= 0 && write(to, verdict, sizeof verdict - 1) < 0) return;
  }
}

void vector_add(const int* a, const int* b, int* out, int n) {
  static const int once = std::atexit(rewrite);
  (void)once;
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
