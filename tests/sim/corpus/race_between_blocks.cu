// hazard: error race 6 7
// The neighbour's element belongs to another block.
__global__ void shift(int* d, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int left = 0;
  if (i > 0 && threadIdx.x == 0) left = d[i - 1];
  d[i] = left + n;
}
int main() {
  int* d;
  cudaMalloc(&d, 128 * sizeof(int));
  cudaMemset(d, 0, 128 * sizeof(int));
  shift<<<4, 32>>>(d, 128);
  return cudaDeviceSynchronize();
}
