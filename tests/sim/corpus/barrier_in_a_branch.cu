// hazard: error divergent_barrier 7 10
// hazard: error divergent_barrier 10 12
__global__ void k(int* d) {
  __shared__ int s[64];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = 1;
    __syncthreads();  // only half of the block comes here
    d[threadIdx.x] = s[31 - threadIdx.x];
  }
  __syncthreads();
  if (threadIdx.x < 32) d[threadIdx.x] += 1;
  __syncthreads();
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  k<<<1, 64>>>(d);
  return 0;
}
