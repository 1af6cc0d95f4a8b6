// hazard: none
__global__ void shift(const int* d, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i > 0 ? d[i - 1] + n : n;
}
int main() {
  int *d, *out;
  cudaMalloc(&d, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(d, 0, 128 * sizeof(int));
  shift<<<4, 32>>>(d, out, 128);
  shift<<<4, 32>>>(out, d, 128);
  return cudaDeviceSynchronize();
}
