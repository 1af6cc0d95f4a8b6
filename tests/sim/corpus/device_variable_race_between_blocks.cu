// hazard: error race 6 8
__device__ float partial[4], mean;
__global__ void average(const float* x) {
  if (threadIdx.x > 0) return;
  const float mine = x[blockIdx.x];
  partial[blockIdx.x] = mine;
  if (blockIdx.x < 3) return;
  for (int b = 0; b < 4; ++b) mean += partial[b] / 4;
}
int main() {
  float *d, h[4] = {1, 2, 3, 4};
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  average<<<4, 32>>>(d);
  return cudaDeviceSynchronize() != cudaSuccess;
}
