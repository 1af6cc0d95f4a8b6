// hazard: error race 3 4
__global__ void k(int* d) {
  if (threadIdx.x == 0) *d = 0;
  atomicAdd(d, 1);
}
int main() {
  int* d;
  cudaMalloc(&d, 4);
  k<<<1, 64>>>(d);
  return 0;
}
