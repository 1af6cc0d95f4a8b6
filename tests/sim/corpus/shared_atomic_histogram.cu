// hazard: none
__global__ void histogram(const unsigned char* x, int* bins, int n) {
  __shared__ int local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[x[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
int main() {
  unsigned char* x;
  int* bins;
  cudaMalloc(&x, 5000);
  cudaMalloc(&bins, 1024);
  cudaMemset(x, 3, 5000);
  cudaMemset(bins, 0, 1024);
  histogram<<<4, 256>>>(x, bins, 5000);
  return 0;
}
