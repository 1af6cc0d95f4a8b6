__global__ void increment_kernel(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++values[i];
}

void increment(int* values, int n) { increment_kernel<<<(n + 255) / 256, 256>>>(values, n); }
