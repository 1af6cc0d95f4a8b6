// hazard: error divergent_barrier 10 0
// Threads without an element of `out` pass the barrier by and exit. A GPU counts them as arrived, and the values are
// right; CUDA forbids it all the same.
__global__ void reverse(const int* in, int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  for (int i = t; i < 64; i += 64) {
    if (i < n) {
      __syncthreads();
      out[i] = s[n - 1 - i];
    }
  }
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 256);
  reverse<<<1, 64>>>(in, out, 50);
  return cudaDeviceSynchronize();
}
