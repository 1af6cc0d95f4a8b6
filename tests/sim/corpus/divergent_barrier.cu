// hazard: error divergent_barrier 6 8
// Both branches have a barrier, but not the same one.
__global__ void split(int* d) {
  if (threadIdx.x < 32) {
    d[threadIdx.x] = 2;
    __syncthreads();
  } else {
    __syncthreads();
  }
  d[threadIdx.x] = 1;
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  split<<<1, 64>>>(d);
  return 0;
}
