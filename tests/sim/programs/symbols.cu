// prints: 7 9 11
// prints: cudaErrorInvalidValue 20 5
#include <cstdio>
__constant__ float factors[4];
__constant__ int offset;
__device__ int table[8] = {1, 2, 3};
__managed__ int shared_with_host;
__global__ void use(int* out) {
  out[threadIdx.x] = static_cast<int>(factors[threadIdx.x]) + offset + table[0];
  if (threadIdx.x == 0) table[7] = 20, shared_with_host = 5;
}
int main() {
  const float f[4] = {1, 3, 5, 7};
  const int five = 5;
  int *out, h[8];
  cudaMemcpyToSymbol(factors, f, sizeof f);
  cudaMemcpyToSymbol(offset, &five, sizeof five);
  cudaMallocManaged(&out, 16);
  use<<<1, 4>>>(out);
  std::printf("%d %d %d\n", out[0], out[1], out[2]);
  const cudaError_t over = cudaMemcpyToSymbol(factors, f, sizeof f, 4);
  int* address;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&address), table);
  cudaMemcpy(h, address, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%s %d %d\n", cudaGetErrorName(over), h[7], shared_with_host);
}
