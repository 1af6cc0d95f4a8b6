// hazard: error race 7 7
__global__ void histogram(const unsigned char* x, int* bins) {
  __shared__ int local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  // Two threads with the same byte lose a count.
  local[x[threadIdx.x]] += 1;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
int main() {
  unsigned char* x;
  int* bins;
  cudaMalloc(&x, 256);
  cudaMalloc(&bins, 1024);
  cudaMemset(x, 3, 256);
  cudaMemset(bins, 0, 1024);
  histogram<<<1, 256>>>(x, bins);
  return cudaDeviceSynchronize();
}
