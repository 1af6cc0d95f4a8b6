// hazard: warning divergent_barrier 5 7
__global__ void early(int* d, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t >= n) return;
  s[t] = t;
  __syncthreads();
  d[t] = s[n - 1 - t];
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  early<<<1, 64>>>(d, 50);
  return cudaDeviceSynchronize();
}
