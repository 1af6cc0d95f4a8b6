// hazard: error race 4 4
__global__ void last(int* d) {
  // Whoever comes last wins.
  d[0] = threadIdx.x;
}
int main() {
  int* d;
  cudaMalloc(&d, sizeof(int));
  last<<<1, 64>>>(d);
  return cudaDeviceSynchronize();
}
