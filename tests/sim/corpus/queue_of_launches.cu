// hazard: none
// Launches come one after another; what one block wrote, any block of the next may read.
__global__ void step(const int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[n - 1 - i] + 1;
}
int main() {
  int *a, *b;
  cudaMalloc(&a, 1024);
  cudaMalloc(&b, 1024);
  cudaMemset(a, 0, 1024);
  for (int k = 0; k < 4; ++k) step<<<4, 64>>>(k % 2 ? b : a, k % 2 ? a : b, 256);
  return 0;
}
