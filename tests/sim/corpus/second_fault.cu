// hazard: error out_of_bounds 4 0
// hazard: error misaligned 6 0
#include <cstdio>
__global__ void beyond(int* p) { p[threadIdx.x + (1 << 28)] = 1; }
__global__ void crooked(char* p) {
  *reinterpret_cast<int*>(p + 1 + threadIdx.x * 4) = 2;
}
__global__ void by_index(const int* index, int* p) { p[index[threadIdx.x]] = 3; }
int main() {
  int *p, *index;
  cudaMalloc(&p, 256);
  cudaMalloc(&index, 256);
  beyond<<<1, 32>>>(p);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  // It would read what no kernel has written, because the first one ended early.
  by_index<<<1, 32>>>(index, p);
  crooked<<<1, 32>>>(reinterpret_cast<char*>(p));
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  // A refused copy leaves memory without its values.
  cudaMemset(index, 0x7f, 256);
  by_index<<<1, 32>>>(index, p);
  return 0;
}
