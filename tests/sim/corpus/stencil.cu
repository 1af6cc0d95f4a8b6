// hazard: none
__global__ void smooth(const float* x, float* y, int n) {
  __shared__ float s[130];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
  s[t] = x[i];
  if (threadIdx.x == 0) s[0] = i > 0 ? x[i - 1] : 0;
  if (threadIdx.x == blockDim.x - 1) s[t + 1] = i < n - 1 ? x[i + 1] : 0;
  __syncthreads();
  y[i] = (s[t - 1] + s[t] + s[t + 1]) / 3;
}
int main() {
  float *x, *y;
  cudaMalloc(&x, 1024);
  cudaMalloc(&y, 1024);
  cudaMemset(x, 0, 1024);
  smooth<<<2, 128>>>(x, y, 256);
  return 0;
}
