// hazard: error race 7 8
__global__ void k(const int* x, int* out) {
  __shared__ int part[4];
  int v = x[threadIdx.x];
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(~0u, v, k);
  // Each warp leaves its sum, but nobody waits for the other warps.
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  if (threadIdx.x == 0) *out = part[0] + part[1] + part[2] + part[3];
}
int main() {
  int *x, *out;
  cudaMalloc(&x, 512);
  cudaMalloc(&out, 4);
  cudaMemset(x, 0, 512);
  k<<<1, 128>>>(x, out);
  return cudaDeviceSynchronize();
}
