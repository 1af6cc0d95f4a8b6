// prints: asserts.cu:8: void check(): Assertion `threadIdx.x < 2' failed.
// prints: cudaErrorAssert
#include <cassert>
#include <cstdio>
#include <cstring>
__global__ void check() {
#line 8 "asserts.cu"
  assert(threadIdx.x < 2);
}
int main() {
  check<<<1, 4>>>();
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(status));
}
