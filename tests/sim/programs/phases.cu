// prints: cooperative 1
// prints: tiled 1 early 1 two 1 copies 1
// prints: mixed 1 helper 1 large 1 wide 1
// prints: fault cudaErrorIllegalAddress after it 1
#include <cstdio>
#include <vector>
__global__ void tiled(int* out, const int* in, int n) {
  __shared__ int tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void early(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t >= 48) return;
  s[t] = t;
  __syncthreads();
  if (t == 3) return;
  out[t] = s[47 - t];
}
__global__ void two(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x, kept = 3 * t;
  s[t] = t;
  __syncthreads();
  int next = s[(t + 1) % 64];
  __syncthreads();
  s[t] = next + kept;
  __syncthreads();
  out[t] = s[63 - t];
}
struct pair {
  int a, b;
};
template <class T, int N>
__global__ void copies(T* out, pair p) {
  __shared__ T s[N];
  volatile int sum = 0;
  for (int i = 0; i < 4; ++i) sum = sum + i * (threadIdx.x & 3);
  s[threadIdx.x] = p.a++;
  __syncthreads();
  out[threadIdx.x] = s[N - 1 - threadIdx.x] + sum + p.a + p.b;
}
__device__ int summed(int value, int* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  int sum = 0;
  for (unsigned i = 0; i < blockDim.x; ++i) sum += shared[i];
  __syncthreads();
  return sum;
}
// Only the second warp waits again before the last barrier.
__device__ int second_warp(int value) { return __shfl_down_sync(~0u, value, 1); }
__global__ void mixed(int* out) {
  __shared__ int s[96];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  int value = s[95 - t];
  if (t / 32 == 1) value = second_warp(value);
  __syncthreads();
  s[t] = value;
  __syncthreads();
  out[t] = s[t] + s[(t + 32) % 96];
}
__global__ void helper(int* out) {
  __shared__ int s[64], other[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = summed(s[63 - t], other);
}
struct wide_value {
  int all[64];
};
__global__ void large(int* out, wide_value v) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  v.all[t] += s[63 - t];
  out[t] = v.all[t];
}
__global__ void wide(int* out) {
  __shared__ int s[1024];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 1024 + threadIdx.x] = s[1023 - threadIdx.x];
}
__global__ void faulty(int* out, int far) {
  __shared__ int s[64];
  s[threadIdx.x] = far;
  __syncthreads();
  out[s[63 - threadIdx.x]] = 1;
}
template <class Is>
int right(const int* d, int n, Is is) {
  std::vector<int> h(n);
  if (cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 0;
  for (int i = 0; i < n; ++i)
    if (h[i] != is(i)) return 0;
  return 1;
}
int main() {
  int *d, *in;
  cudaMalloc(&d, 1 << 20);
  cudaMalloc(&in, 1 << 20);
  std::vector<int> h(50 * 50);
  for (int i = 0; i < 2500; ++i) h[i] = i;
  cudaMemcpy(in, h.data(), 2500 * sizeof(int), cudaMemcpyHostToDevice);
  void* arguments[] = {&d};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(two), 2, 64, arguments);
  std::printf("cooperative %d\n", right(d, 64, [](int i) { return (64 - i) % 64 + 3 * (63 - i); }));
  tiled<<<dim3(4, 4), dim3(16, 16)>>>(d, in, 50);
  std::printf("tiled %d", right(d, 2500, [](int i) { return i % 50 * 50 + i / 50; }));
  cudaMemset(d, 0, 256);
  early<<<1, 64>>>(d);
  std::printf(" early %d", right(d, 64, [](int i) { return i < 48 && i != 3 ? 47 - i : 0; }));
  two<<<9, 64>>>(d);
  std::printf(" two %d", right(d, 64, [](int i) { return (64 - i) % 64 + 3 * (63 - i); }));
  copies<int, 64><<<2, 64>>>(d, pair{5, 7});
  std::printf(" copies %d\n", right(d, 64, [](int i) { return 5 + 6 * (i & 3) + 6 + 7; }));
  mixed<<<3, 96>>>(d);
  const auto second = [](int i) { return i / 32 == 1 && i % 32 != 31 ? 95 - i - 1 : 95 - i; };
  std::printf("mixed %d", right(d, 96, [&](int i) { return second(i) + second((i + 32) % 96); }));
  helper<<<2, 64>>>(d);
  std::printf(" helper %d", right(d, 64, [](int) { return 2016; }));
  large<<<1, 64>>>(d, wide_value{{1}});
  std::printf(" large %d", right(d, 64, [](int i) { return 63 - i + (i == 0); }));
  wide<<<8, 1024>>>(d);
  std::printf(" wide %d\n", right(d, 8192, [](int i) { return 1023 - i % 1024; }));
  faulty<<<4, 64>>>(d, 1 << 28);
  std::printf("fault %s", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDeviceReset();
  cudaMalloc(&d, 256);
  two<<<1, 64>>>(d);
  std::printf(" after it %d\n", right(d, 64, [](int i) { return (64 - i) % 64 + 3 * (63 - i); }));
}
