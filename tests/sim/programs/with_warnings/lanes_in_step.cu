// Reductions of before Volta: the lanes of a warp exchange values without __syncwarp().
#include <cstdio>
__device__ void last_warp(volatile int* s, int t) {
  s[t] += s[t + 16];
  s[t] += s[t + 8]; s[t] += s[t + 4];
  s[t] += s[t + 2];
  if (t < 16) s[t] += s[t + 1];
}
__global__ void by_function(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t, s[t + 32] = 0;
  __syncthreads();
  last_warp(s, t);
  if (t == 0) *out = s[0];
}
__global__ void in_kernel(int* out) {
  __shared__ volatile int s[96];
  const int t = threadIdx.x;
  int sum = s[t] = t;
  if (t < 32) s[t + 64] = 0;
  __syncthreads();
  if (t < 32) {
    s[t] = sum = sum + s[t + 32];
    s[t] = sum = sum + s[t + 16];
    s[t] = sum = sum + s[t + 8];
    s[t] = sum = sum + s[t + 4];
    s[t] = sum = sum + s[t + 2];
    s[t] = sum = sum + s[t + 1];
  }
  if (t == 0) *out = s[0];
}
__global__ void rotated(int* out) {
  __shared__ volatile int s[32];
  const int t = threadIdx.x;
  s[t] = t;
  for (int i = 0; i < 3; ++i) {
    s[t] = s[(t + 1) % 32];
    s[(t + 1) % 32] = s[(t + 1) % 32];
    s[t] = s[(t + 32) % 32];
  }
  out[t] = s[t];
}
int main() {
  int *d, h[3];
  cudaMalloc(&d, 34 * sizeof *d);
  by_function<<<1, 32>>>(d);
  in_kernel<<<1, 64>>>(d + 1);
  rotated<<<1, 32>>>(d + 2);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d\n", h[0], h[1], h[2]);
}
