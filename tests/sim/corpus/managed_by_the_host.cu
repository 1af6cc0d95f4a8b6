// hazard: none
__global__ void twice(int* d) { d[threadIdx.x] *= 2; }
int main() {
  int* d;
  cudaMallocManaged(&d, 128);
  for (int i = 0; i < 32; ++i) d[i] = i;
  twice<<<1, 32>>>(d);
  cudaDeviceSynchronize();
  return d[3] == 6 ? 0 : 1;
}
