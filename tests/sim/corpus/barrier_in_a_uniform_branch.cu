// hazard: none
__global__ void k(int* d, bool twice) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int v = s[63 - threadIdx.x];
  if (twice) {
    __syncthreads();
    s[threadIdx.x] = v;
    __syncthreads();
    v = s[63 - threadIdx.x];
  }
  d[threadIdx.x] = v;
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  k<<<1, 64>>>(d, true);
  k<<<1, 64>>>(d, false);
  return 0;
}
