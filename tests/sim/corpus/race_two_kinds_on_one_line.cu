// hazard: error race 4 4
// All threads store the same value to one element and different ones to the other: the worse race counts.
__global__ void mark(int* d) {
  d[0] = 1, d[1] = threadIdx.x;
}
int main() {
  int* d;
  cudaMalloc(&d, 2 * sizeof(int));
  mark<<<1, 64>>>(d);
  return cudaDeviceSynchronize();
}
