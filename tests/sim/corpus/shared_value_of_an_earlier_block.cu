// hazard: error uninitialized_read 6 0
// Shared memory keeps no value from one block to the next.
__global__ void first_block_alone(int* out) {
  __shared__ int s;
  if (blockIdx.x == 0) s = 1;
  out[blockIdx.x] = s;
}
int main() {
  int* out;
  cudaMalloc(&out, 2 * sizeof(int));
  first_block_alone<<<2, 1>>>(out);
  return cudaDeviceSynchronize();
}
