// hazard: error out_of_bounds 5 0
// No guard for the last block.
__global__ void set(int* d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  d[i] = i;
}
int main() {
  int* d;
  cudaMalloc(&d, 100 * sizeof(int));
  set<<<4, 32>>>(d);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
