// hazard: error uninitialized_read 5 0
__global__ void sum(int* out) {
  __shared__ int total;
  // total was never set to zero
  if (threadIdx.x == 0) total += 1;
  __syncthreads();
  out[threadIdx.x] = total;
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  sum<<<1, 32>>>(out);
  return 0;
}
