// hazard: none
__global__ void sum(const int* x, int* out) {
  __shared__ int part[4];
  int v = x[threadIdx.x];
  for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(~0u, v, k);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) *out = part[0] + part[1] + part[2] + part[3];
}
int main() {
  int *x, *out;
  cudaMalloc(&x, 512);
  cudaMalloc(&out, 4);
  cudaMemset(x, 0, 512);
  sum<<<1, 128>>>(x, out);
  return cudaDeviceSynchronize();
}
