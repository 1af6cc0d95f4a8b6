// hazard: error race 8 8
__global__ void scan(int* d) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = d[t];
  for (int k = 1; k < 128; k *= 2) {
    __syncthreads();
    if (t >= k) s[t] += s[t - k];
  }
  d[t] = s[t];
}
int main() {
  int* d;
  cudaMalloc(&d, 512);
  cudaMemset(d, 0, 512);
  scan<<<1, 128>>>(d);
  return cudaDeviceSynchronize();
}
