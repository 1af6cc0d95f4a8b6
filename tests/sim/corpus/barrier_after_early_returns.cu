// hazard: warning divergent_barrier 5 7
// hazard: warning divergent_barrier 7 11
// Threads without an element return early, from the function that has the barrier and from the kernel.
__device__ int from_the_right(int* s, int t, int n) {
  if (t >= n) return 0;
  s[t] = t;
  __syncthreads();
  return s[n - 1 - t];
}
__global__ void reverse(int* d, int threads, int n) {
  if (threadIdx.x >= threads) return;
  __shared__ int s[64];
  const int value = from_the_right(s, threadIdx.x, n);
  if (threadIdx.x < n) d[threadIdx.x] = value;
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  reverse<<<1, 64>>>(d, 60, 50);
  return cudaDeviceSynchronize();
}
