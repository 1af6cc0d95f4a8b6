// hazard: none
__global__ void add(const int* a, const int* b, int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = a[i] + b[i];
}
int main() {
  int *a, *b, *c;
  cudaMalloc(&a, 4000);
  cudaMalloc(&b, 4000);
  cudaMalloc(&c, 4000);
  cudaMemset(a, 0, 4000);
  cudaMemset(b, 0, 4000);
  add<<<3, 64>>>(a, b, c, 1000);
  return 0;
}
