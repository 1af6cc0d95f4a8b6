// hazard: error host_pointer 4 0
int factor = 3;
__global__ void scale(int* d) {
  d[threadIdx.x] = factor * threadIdx.x;
}
int main() {
  int* d;
  cudaMalloc(&d, 128);
  factor = 4;
  scale<<<1, 32>>>(d);
  return cudaDeviceSynchronize() == cudaSuccess;
}
