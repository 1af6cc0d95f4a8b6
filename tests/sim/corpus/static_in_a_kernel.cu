// hazard: none
// A static variable of a kernel is in device memory, one for all threads and launches.
__device__ int next() {
  static int calls = 3, last[2] = {0, 0};
  last[1] = atomicAdd(&calls, 1);
  return last[1];
}
template <int n>
__global__ void count(int* out) {
  static int launches;
  __shared__ alignas(16) int a[4];
  alignas(8) __shared__ int b[n];
  a[3] = next(), b[1] = ++launches;
  *out = a[3] * 100 + b[1] * 10 + (reinterpret_cast<size_t>(a) % 16 + reinterpret_cast<size_t>(b) % 8 != 0);
}
int main() {
  int *d, h;
  cudaMalloc(&d, sizeof h);
  for (int i = 0; i < 2; ++i) count<2><<<1, 1>>>(d);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  return h != 420;
}
