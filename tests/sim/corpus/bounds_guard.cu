// hazard: none
__global__ void set(int* d, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[i] = i;
}
int main() {
  int* d;
  cudaMalloc(&d, 100 * sizeof(int));
  set<<<4, 32>>>(d, 100);
  return cudaDeviceSynchronize();
}
