// expect: wrong_answer | nondeterministic | crash | out_of_bounds | protocol_violation
// Threads keep writing to the shared output file after the reply. On a busy machine, one alone may get no core in time.
#include <fcntl.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

static std::atomic<int> rounds{0};

// The runner maps the shared files; they can be found in /proc/self/maps.
static void scribble() {
  for (;; ++rounds) {
    std::ifstream maps{"/proc/self/maps"};
    for (std::string line; std::getline(maps, line);) {
      unsigned long begin = 0, end = 0;
      char rights[5] = {};
      if (line.find("memfd:lab") == line.npos) continue;
      if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights) == 3 && rights[1] == 'w')
        std::memset(reinterpret_cast<void*>(begin), 0x55, end - begin);
    }
  }
}

static bool start_threads() {
  for (int i = 0; i < 2; ++i) std::thread(scribble).detach();
  return true;
}

void vector_add(const int* a, const int* b, int* out, int n) {
  static const bool once = start_threads();
  (void)once;
  add<<<(n + 255) / 256, 256>>>(a, b, out, n);
  cudaDeviceSynchronize();
  const int now = rounds;
  while (rounds < now + 2) std::this_thread::yield();  // a thread has had a core since
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
