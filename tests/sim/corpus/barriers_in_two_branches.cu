// hazard: error divergent_barrier 8 10
// The compiler may make one barrier of the two; the source has two.
__global__ void reverse(int* d, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  if (t < n) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  d[t] = s[63 - t];
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  reverse<<<1, 64>>>(d, 32);
  return cudaDeviceSynchronize();
}
