// hazard: error missing_synchronization 11 0
__global__ void square(int* d) { d[threadIdx.x] = threadIdx.x * threadIdx.x; }
int main() {
  int* d;
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaMallocManaged(&d, 128);
  square<<<1, 32, 0, s>>>(d);
  cudaStreamSynchronize(t);
  return d[0];
}
