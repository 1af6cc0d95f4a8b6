// hazard: none
__device__ int counter, squares[64];
__device__ int (*twice_or_not)(int);
__constant__ float factors[4];
__constant__ int fixed[2] = {3, 4};
namespace deep {
static __device__ unsigned long long total = 5;
}
__device__ int twice(int x) { return 2 * x; }
__global__ void sum(float* d) {
  squares[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  atomicAdd(&counter, squares[63 - threadIdx.x] * fixed[threadIdx.x % 2]);
  if (threadIdx.x == 0) {
    twice_or_not = twice;
    deep::total += twice_or_not(4);
  }
  d[threadIdx.x] = factors[threadIdx.x % 4] * 2;
}
int main() {
  const float f[4] = {1, 2, 3, 4};
  float* d;
  cudaMalloc(&d, 64 * sizeof(float));
  cudaMemcpyToSymbol(factors, f, sizeof f);
  sum<<<1, 64>>>(d);
  int c;
  cudaMemcpyFromSymbol(&c, counter, sizeof c);
  return c != 298368;
}
