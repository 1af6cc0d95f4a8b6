// hazard: error uninitialized_read 6 0
// hazard: error uninitialized_read 8 0
// Counters that nobody set to zero; what atomicExch overwrites, or a barrier separates from its zero, is right.
__global__ void count(int* global) {
  __shared__ int shared[3];
  atomicAdd(&shared[0], 1);
  if (threadIdx.x == 0) shared[1] = 0, atomicExch(&shared[2], 0);
  atomicMax(global, static_cast<int>(threadIdx.x));
  __syncthreads();
  atomicAdd(&shared[1], 1);
  atomicAdd(&shared[2], 1);
}
int main() {
  int* d;
  cudaMalloc(&d, sizeof(int));
  count<<<1, 64>>>(d);
  return cudaDeviceSynchronize();
}
