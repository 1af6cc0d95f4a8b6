// hazard: error race 8 10
// The next round overwrites the tile while slow threads still read it.
__global__ void rounds(int* d) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    s[t] = d[t] + round;
    __syncthreads();
    sum += s[(t + 32) % 64];
  }
  d[t] = sum;
}
int main() {
  int* d;
  cudaMalloc(&d, 64 * sizeof(int));
  cudaMemset(d, 0, 64 * sizeof(int));
  rounds<<<1, 64>>>(d);
  return cudaDeviceSynchronize();
}
