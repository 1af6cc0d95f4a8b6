// hazard: error race 3 13
__global__ void fill(int* d) {
  d[threadIdx.x] = threadIdx.x;
}
int main() {
  int *d, *h;
  cudaMalloc(&d, 64 * sizeof(int));
  cudaMallocHost(&h, 64 * sizeof(int));
  cudaStream_t computes, copies;
  cudaStreamCreate(&computes);
  cudaStreamCreate(&copies);
  fill<<<1, 64, 0, computes>>>(d);
  cudaMemcpyAsync(h, d, 64 * sizeof(int), cudaMemcpyDeviceToHost, copies);
  return cudaDeviceSynchronize();
}
