// hazard: error out_of_bounds 6 0
__global__ void smooth(const float* x, float* y) {
  __shared__ float s[128];
  const int t = threadIdx.x + 1;
  // 128 threads and two neighbours need 130 places.
  s[t] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[t];
}
int main() {
  float *x, *y;
  cudaMalloc(&x, 512);
  cudaMalloc(&y, 512);
  cudaMemset(x, 0, 512);
  smooth<<<1, 128>>>(x, y);
  return 0;
}
