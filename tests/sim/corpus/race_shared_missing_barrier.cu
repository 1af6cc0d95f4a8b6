// hazard: error race 6 7
// No __syncthreads() between writing the tile and reading it backwards.
__global__ void reverse(int* d) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = d[t];
  d[t] = s[63 - t];
}
int main() {
  int* d;
  cudaMalloc(&d, 64 * sizeof(int));
  cudaMemset(d, 0, 64 * sizeof(int));
  reverse<<<1, 64>>>(d);
  return cudaDeviceSynchronize();
}
