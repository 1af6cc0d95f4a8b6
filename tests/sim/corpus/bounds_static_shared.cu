// hazard: error out_of_bounds 5 0
// One column too far lands in the next row.
__global__ void fill(int* d) {
  __shared__ int s[8][8];
  s[threadIdx.x / 8][threadIdx.x % 8 + 1] = threadIdx.x;
  __syncthreads();
  d[threadIdx.x] = s[threadIdx.x / 8][threadIdx.x % 8];
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  fill<<<1, 64>>>(d);
  return 0;
}
