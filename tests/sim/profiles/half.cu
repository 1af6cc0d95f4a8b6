// counts: copy 7 load global 2 4 4 0 0
// counts: copy 7 store global 2 4 4 0 0
// counts: copy_pairs 10 load global 2 8 8 0 0
// counts: copy_pairs 10 store global 2 8 8 0 0
#include <cuda_fp16.h>
__global__ void copy(const half* from, half* to) {
  to[threadIdx.x] = from[threadIdx.x];
}
__global__ void copy_pairs(const half2* from, half2* to) {
  to[threadIdx.x] = from[threadIdx.x];
}
int main() {
  half *a, *b;
  cudaMalloc(&a, 256);
  cudaMalloc(&b, 256);
  cudaMemset(a, 0, 256);
  copy<<<1, 64>>>(a, b);
  copy_pairs<<<1, 64>>>(reinterpret_cast<half2*>(a), reinterpret_cast<half2*>(b));
}
