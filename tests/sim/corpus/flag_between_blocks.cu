// hazard: error race 4 7
__global__ void k(int* d, int* out) {
  if (blockIdx.x == 0) {
    d[0] = 5;
    return;
  }
  out[0] = d[0];
}
int main() {
  int *d, *out;
  cudaMalloc(&d, 4);
  cudaMalloc(&out, 4);
  cudaMemset(d, 0, 4);
  k<<<2, 1>>>(d, out);
  return 0;
}
