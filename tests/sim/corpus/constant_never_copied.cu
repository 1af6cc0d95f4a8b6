// hazard: warning uninitialized_read 5 0
__constant__ float factors[4];
__global__ void scale(float* d) {
  const int t = threadIdx.x;
  d[t] = factors[t % 4] * t;
}
int main() {
  float* d;
  cudaMalloc(&d, 32 * sizeof(float));
  scale<<<1, 32>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess;
}
