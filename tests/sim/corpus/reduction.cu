// hazard: none
__global__ void reduce(const int* x, int* out) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}
int main() {
  int *x, *out;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(x, 0, 128 * sizeof(int));
  reduce<<<1, 128, 128 * sizeof(int)>>>(x, out);
  return cudaDeviceSynchronize();
}
