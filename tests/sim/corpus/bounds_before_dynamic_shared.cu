// hazard: error out_of_bounds 5 0
__global__ void count(const int* x) {
  extern __shared__ int bins[];
  int* const mine = bins + x[threadIdx.x];
  atomicAdd(&mine[-1], 1);
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  count<<<1, 32, 64 * sizeof(int)>>>(x);
  return cudaDeviceSynchronize() == cudaSuccess;
}
