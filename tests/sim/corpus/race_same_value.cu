// hazard: info race 3 3
__global__ void flag(int* d) {
  d[0] = 1;
}
int main() {
  int* d;
  cudaMalloc(&d, sizeof(int));
  flag<<<1, 64>>>(d);
  return cudaDeviceSynchronize();
}
