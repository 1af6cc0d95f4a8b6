// hazard: error race 4 4
__global__ void add(float* sum, float part) {
  const int i = threadIdx.x;
  sum[i] += part;
}
int main() {
  float* sum;
  cudaMalloc(&sum, 64 * sizeof(float));
  cudaMemset(sum, 0, 64 * sizeof(float));
  cudaDeviceSynchronize();
  cudaStream_t streams[3];
  for (int k = 0; k < 3; ++k) {
    cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking);
    add<<<1, 64, 0, streams[k]>>>(sum, k + 1.f);
  }
  return cudaDeviceSynchronize();
}
