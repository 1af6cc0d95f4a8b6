// hazard: none
// The compiler makes instructions of copies and fills whose size it knows. They are seen all the same.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <strings.h>

struct wide {
  float values[12];
};

__global__ void copy(const int* from, int* to) {
  __shared__ int all[128], some[64];
  __shared__ wide one;
  if (threadIdx.x == 0) {
    memcpy(all, from, sizeof all);
    std::copy(from, from + 24, some);
    std::memset(some + 24, 0, 100);
    bzero(some + 49, 60);
    std::memmove(&one, from, sizeof one);
  }
  __syncthreads();
  float value;
  memcpy(&value, &from[threadIdx.x % 128], sizeof value);
  to[threadIdx.x] = all[threadIdx.x] + some[threadIdx.x % 64] + (value > 0) + (one.values[threadIdx.x % 12] > 0);
}

int main() {
  int *from, *to;
  cudaMalloc(&from, 128 * sizeof(int));
  cudaMalloc(&to, 128 * sizeof(int));
  cudaMemset(from, 1, 128 * sizeof(int));
  copy<<<1, 128>>>(from, to);
  return cudaDeviceSynchronize();
}
