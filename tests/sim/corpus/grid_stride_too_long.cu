// hazard: error out_of_bounds 4 0
__global__ void add(const int* a, int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += blockDim.x * gridDim.x)
    out[i] = a[i] + 1;
}
int main() {
  int *a, *c;
  cudaMalloc(&a, 4000);
  cudaMalloc(&c, 4000);
  cudaMemset(a, 0, 4000);
  add<<<3, 64>>>(a, c, 1000);
  return 0;
}
