// hazard: error out_of_bounds 3 0
__global__ void set(char* d) {
  d[threadIdx.x] = 1;
}
int main() {
  char* d;
  cudaMalloc(&d, 31);
  set<<<1, 32>>>(d);
  return 0;
}
