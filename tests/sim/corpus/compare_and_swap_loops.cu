// hazard: error race 29 30
__device__ float largest(float* at, float value) {
  int* const bits = reinterpret_cast<int*>(at);
  int seen = *bits;
  while (__int_as_float(seen) < value) {
    const int expected = seen;
    seen = atomicCAS(bits, expected, __float_as_int(value));
    if (seen == expected) break;
  }
  return __int_as_float(seen);
}
__device__ double product(double* at, double factor) {
  auto* const bits = reinterpret_cast<unsigned long long*>(at);
  unsigned long long seen = *bits, expected;
  do {
    expected = seen;
    seen = atomicCAS(bits, expected, __double_as_longlong(factor * __longlong_as_double(expected)));
  } while (expected != seen);
  return __longlong_as_double(seen);
}
__global__ void loops(float* most, double* all) {
  __shared__ double part;
  if (threadIdx.x == 0) part = 1;
  __syncthreads();
  largest(most, static_cast<float>(threadIdx.x * 7 % 64));
  product(all, 1.5);
  product(&part, 1.25);
}
__global__ void peeks(int* n, int* out) { out[threadIdx.x] = *n;
  atomicAdd(n, 1);
}
int main() {
  float* most;
  double* all;
  int* n;
  cudaMalloc(&most, sizeof(float));
  cudaMalloc(&all, sizeof(double));
  cudaMalloc(&n, 65 * sizeof(int));
  cudaMemset(most, 0, sizeof(float));
  cudaMemset(all, 0, sizeof(double));
  cudaMemset(n, 0, sizeof(int));
  loops<<<2, 64>>>(most, all);
  peeks<<<1, 64>>>(n, n + 1);
  return cudaDeviceSynchronize();
}
