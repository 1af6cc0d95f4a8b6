// hazard: none
__global__ void scan(int* d) {
  __shared__ int s[2][128];
  const int t = threadIdx.x;
  int in = 0;
  s[0][t] = d[t];
  for (int k = 1; k < 128; k *= 2) {
    __syncthreads();
    s[1 - in][t] = s[in][t] + (t >= k ? s[in][t - k] : 0);
    in = 1 - in;
  }
  d[t] = s[in][t];
}
int main() {
  int* d;
  cudaMalloc(&d, 512);
  cudaMemset(d, 0, 512);
  scan<<<1, 128>>>(d);
  return 0;
}
