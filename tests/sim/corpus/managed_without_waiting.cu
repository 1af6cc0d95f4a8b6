// hazard: error missing_synchronization 8 0
__global__ void square(int* d) { d[threadIdx.x] = threadIdx.x * threadIdx.x; }
int main() {
  int* d;
  cudaMallocManaged(&d, 128);
  for (int i = 0; i < 32; ++i) d[i] = -1;
  square<<<1, 32>>>(d);
  const bool right = d[5] == 25;
  cudaDeviceSynchronize();
  return !right;
}
