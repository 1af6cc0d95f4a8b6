// hazard: error invalid_sync_mask 4 0
__global__ void half(int* d) {
  d[threadIdx.x] = 1;
  d[threadIdx.x] = __shfl_sync(0xffff, 3, 0);
}
int main() {
  int* d;
  cudaMalloc(&d, 128);
  half<<<1, 32>>>(d);
  return 0;
}
