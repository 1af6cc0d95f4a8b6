// hazard: none
__global__ void bytes(unsigned char* d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  d[i] = static_cast<unsigned char>(i);
}
int main() {
  unsigned char* d;
  cudaMalloc(&d, 256);
  bytes<<<2, 128>>>(d);
  return cudaDeviceSynchronize();
}
