// hazard: error use_after_free 2 0
__global__ void set(int* d) { d[threadIdx.x] = 1; }
int main() {
  int* d;
  cudaMalloc(&d, 128);
  cudaFree(d);
  set<<<1, 32>>>(d);
  return 0;
}
