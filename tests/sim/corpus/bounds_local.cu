// hazard: error out_of_bounds 5 0
__global__ void sum(const int* d, int* out, int n) {
  int local[8];
  // One too many.
  for (int i = 0; i <= n; ++i) local[i] = d[i];
  out[0] = local[n / 2] + local[0];
}
int main() {
  int *d, *out;
  cudaMalloc(&d, 128);
  cudaMalloc(&out, 4);
  cudaMemset(d, 0, 128);
  sum<<<1, 1>>>(d, out, 8);
  return 0;
}
