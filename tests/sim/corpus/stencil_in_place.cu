// hazard: error race 5 5
__global__ void smooth(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // A neighbour may be new or old.
  if (i > 0 && i < n - 1) x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
}
int main() {
  float* x;
  cudaMalloc(&x, 1024);
  cudaMemset(x, 0, 1024);
  smooth<<<2, 128>>>(x, 256);
  return 0;
}
