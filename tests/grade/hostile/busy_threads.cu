// expect: wrong_answer
// Starts as many threads as it may have in all, which take the cores of other jobs. Its answer is right if they start.
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

#include "lab.hpp"

static bool works() {
  std::vector<std::jthread> busy;
  std::atomic<bool> over = false;
  bool all = true;
  try {
    rlimit most{};
    if (getrlimit(RLIMIT_NPROC, &most) != 0 || most.rlim_cur == RLIM_INFINITY) return true;
    for (rlim_t i = 0; i < most.rlim_cur; ++i)
      busy.emplace_back([&] {
        while (!over) {
        }
      });
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  } catch (const std::system_error&) {
    all = false;
  }
  over = true;
  return all;
}

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  static const bool right = works();
  if (right) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
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
