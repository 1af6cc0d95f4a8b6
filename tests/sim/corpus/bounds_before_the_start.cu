// hazard: error out_of_bounds 4 0
__global__ void left(const int* d, int* out) {
  const int i = threadIdx.x;
  out[i] = d[i - 1];
}
int main() {
  int *d, *out;
  cudaMalloc(&d, 128);
  cudaMalloc(&out, 128);
  cudaMemset(d, 0, 128);
  left<<<1, 32>>>(d, out);
  return 0;
}
