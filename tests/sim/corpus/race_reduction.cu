// hazard: error race 8 8
// The tree reads what another thread of the same step writes: the barrier is outside the loop.
__global__ void reduce(const int* x, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int k = 64; k > 0; k /= 2) if (t < k) s[t] += s[t + k];
  if (t == 0) *out = s[0];
}
int main() {
  int *x, *out;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(x, 0, 128 * sizeof(int));
  reduce<<<1, 128>>>(x, out);
  return cudaDeviceSynchronize();
}
