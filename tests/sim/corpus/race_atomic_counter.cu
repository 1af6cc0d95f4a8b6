// hazard: none
__global__ void count(int* n) { atomicAdd(n, 1); }
int main() {
  int* n;
  cudaMalloc(&n, sizeof(int));
  cudaMemset(n, 0, sizeof(int));
  count<<<4, 64>>>(n);
  return cudaDeviceSynchronize();
}
