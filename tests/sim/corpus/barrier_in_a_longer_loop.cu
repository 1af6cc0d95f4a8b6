// hazard: error divergent_barrier 7 0
// Some threads run the loop, and its barrier, once more than others.
__global__ void sum(const int* in, int* out, int n) {
  __shared__ int s[64];
  for (int i = threadIdx.x; i < n; i += 64) {
    s[threadIdx.x] = in[i];
    __syncthreads();
    atomicAdd(out, s[threadIdx.x]);
  }
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 100 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 1, 100 * sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  sum<<<1, 64>>>(in, out, 100);
  return cudaDeviceSynchronize();
}
