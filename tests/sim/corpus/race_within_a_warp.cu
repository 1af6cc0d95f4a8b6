// hazard: warning race 6 7
// Lanes of one warp are not in step unless __syncwarp() says so.
__global__ void neighbours(int* d) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = d[t];
  d[t] = s[t ^ 1];
}
int main() {
  int* d;
  cudaMalloc(&d, 32 * sizeof(int));
  cudaMemset(d, 0, 32 * sizeof(int));
  neighbours<<<1, 32>>>(d);
  return cudaDeviceSynchronize();
}
