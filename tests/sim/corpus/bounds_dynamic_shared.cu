// hazard: error out_of_bounds 5 0
// The launch asks for half of what the kernel uses.
__global__ void fill(int* d) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  d[threadIdx.x] = s[threadIdx.x];
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  fill<<<1, 64, 128>>>(d);
  return 0;
}
