// prints: reversed 1 early 1 count 5 and 0 or 1
#include <cstdio>
__global__ void reverse(int* d) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[255 - t];
}
// Threads that have left are not waited for.
__global__ void early(int* d, int n) {
  const int t = threadIdx.x;
  if (t >= n) return;
  __shared__ int s[256];
  for (int round = 0; round < 3; ++round) {
    s[t] = t + round;
    __syncthreads();
    d[t] = s[n - 1 - t];
    __syncthreads();
  }
}
__global__ void votes(int* d) {
  const int t = threadIdx.x, n = __syncthreads_count(t < 5), all = __syncthreads_and(t < 63), any = __syncthreads_or(t == 7);
  if (t == 40) d[0] = n, d[1] = all, d[2] = any;
}
int main() {
  int* d;
  cudaMallocManaged(&d, 256 * sizeof(int));
  for (int i = 0; i < 256; ++i) d[i] = i;
  reverse<<<1, dim3(256)>>>(d);
  bool reversed = true, left = true;
  for (int i = 0; i < 256; ++i) reversed = reversed && d[i] == 255 - i;
  early<<<1, 256>>>(d, 77);
  for (int i = 0; i < 77; ++i) left = left && d[i] == 76 - i + 2;
  votes<<<1, 64>>>(d);
  std::printf("reversed %d early %d count %d and %d or %d\n", reversed, left, d[0], d[1], d[2]);
}
