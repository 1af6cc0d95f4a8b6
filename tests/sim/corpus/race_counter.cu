// hazard: error race 4 4
// Every thread reads and writes one counter without an atomic.
__global__ void count(int* n) {
  *n += 1;
}
int main() {
  int* n;
  cudaMalloc(&n, sizeof(int));
  cudaMemset(n, 0, sizeof(int));
  count<<<1, 64>>>(n);
  return cudaDeviceSynchronize();
}
