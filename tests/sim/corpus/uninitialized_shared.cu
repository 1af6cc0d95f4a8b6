// hazard: error uninitialized_read 7 0
// Only the first half of the tile is filled; the second block must not profit from the first one's.
__global__ void tile(int* out) {
  __shared__ int s[64];
  if (threadIdx.x < 32) s[threadIdx.x] = 1;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  tile<<<2, 64>>>(out);
  return cudaDeviceSynchronize();
}
