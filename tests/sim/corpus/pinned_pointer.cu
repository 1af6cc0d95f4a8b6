// hazard: none
__global__ void set(int* d) { d[threadIdx.x] += 1; }
int main() {
  int* h;
  cudaMallocHost(&h, 128);
  for (int i = 0; i < 32; ++i) h[i] = i;
  set<<<1, 32>>>(h);
  return cudaDeviceSynchronize();
}
