// hazard: error missing_synchronization 13 0
__global__ void square(int* d) { d[threadIdx.x] = threadIdx.x * threadIdx.x; }
int main() {
  int *d, *h, sum = 0;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&d, 128);
  cudaMallocHost(&h, 128);
  square<<<1, 32, 0, s>>>(d);
  cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, s);
  sum = 7;
  for (int i = 0; i < 32; ++i)
    sum += h[i];
  cudaStreamSynchronize(s);
  return sum + h[0] == 0;
}
