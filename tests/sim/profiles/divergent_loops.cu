// counts: alternating 13 load global 8 32 16 0 0
// counts: alternating 14 store global 1 4 4 0 0
// counts: ragged 20 load global 32 80 80 0 0
// counts: ragged 21 store global 1 4 4 0 0
// counts: twice 24 load global 2 8 4 0 0
// counts: twice 30 store global 1 4 4 0 0
// Lanes that execute a line in different iterations, for different times, or from different calls, are not together.
__device__ __attribute__((noinline)) int get(const int* a, int i);
__global__ void alternating(const int* a, int* out) {
  const int t = threadIdx.x;
  int s = 0;
  for (int i = 0; i < 8; ++i)
    if ((t + i) & 1) s += a[i * 32 + t];
  out[t] = s;
}
__global__ void ragged(const int* a, int* out) {
  const int t = threadIdx.x;
  int s = 0, i = 0;
  while (i <= t)
    s += a[i++ * 32 + t];
  out[t] = s;
}
__device__ __attribute__((noinline)) int get(const int* a, int i) {
  return a[i]; }
__global__ void twice(const int* a, int* out) {
  const int t = threadIdx.x;
  int s;
  if (t & 1) s = get(a, t) + 1;
  else s = get(a, 2 * t % 32 + 1) * 3;
  out[t] = s;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 4096);
  alternating<<<1, 32>>>(in, out);
  ragged<<<1, 32>>>(in, out);
  twice<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
