// prints: product 1 sums 1 tile 1 kept 1 groups 1
// prints: 0 1 2 3 4 5 6 7
// prints: cudaErrorIllegalAddress out_of_bounds: kernel beyond, block (1, 0, 0), thread (5, 2, 0):
#include <cooperative_groups.h>
#include <lab_sim.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>
namespace cg = cooperative_groups;
constexpr int side = 8;
template <int SIDE>
__global__ void product(float* c, const float* a, const float* b, int n) {
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int k = 0, row = n * SIDE * blockIdx.y; k < n; k += SIDE, row += SIDE) {
    __shared__ float s[SIDE][SIDE];
    __shared__ float t[SIDE][SIDE];
    s[ty][tx] = a[row + n * ty + tx];
    t[ty][tx] = b[(k + ty) * n + SIDE * blockIdx.x + tx];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SIDE; ++i) sum += s[ty][i] * t[i][tx];
    __syncthreads();
  }
  c[(blockIdx.y * SIDE + ty) * n + blockIdx.x * SIDE + tx] = sum;
}
__global__ void sums(int* p, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = p[blockIdx.x * blockDim.x + t];
  __syncthreads();
  int step = 1;
  for (int half = n / 2; half > 0; half >>= 1) {
    if (t < half) s[step * 2 * t] += s[step * (2 * t + 1)];
    step *= 2;
    __syncthreads();
  }
  if (t > 0) return;
  p[blockIdx.x * blockDim.x] = s[0];
}
__global__ void tile(int* out, const int* in, int n) {
  __shared__ int s[side][side + 1];
  int x = blockIdx.x * side + threadIdx.x, y = blockIdx.y * side + threadIdx.y;
  if (x < n && y < n) s[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * side + threadIdx.x;
  y = blockIdx.x * side + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = s[threadIdx.x][threadIdx.y];
}
__global__ void kept(int* p, uint2 add) {
  __shared__ int s[64];
  int first[2][2] = {{1, 2}, {3}}, plain[3];
  float2 pair = {1.0f, 2.0f};
  p += threadIdx.x;
  plain[1] = threadIdx.x;
  s[threadIdx.x] = add.x++;
  __syncthreads();
  first[1][1] += s[63 - threadIdx.x] + plain[1];
  pair.x += threadIdx.x;
  for (int round = 0; round < 9; ++round) {
    if (round == 2) continue;
    if (round == 5) break;
    __syncthreads();
    first[0][0] += round;
  }
  __syncthreads();
  *p = first[0][0] + first[1][1] + plain[1] + static_cast<int>(pair.x + pair.y) + add.x + add.y;
}
__global__ void groups(int* p) {
  cg::thread_block all = cg::this_thread_block();
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  cg::sync(all);
  p[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void prints(int n) {
  if (threadIdx.x == 0) std::printf("0");
  __syncthreads();
  if (threadIdx.x > 0) std::printf(" %d", threadIdx.x);
  if (static_cast<int>(threadIdx.x) == n - 1) std::printf("\n");
}
__global__ void beyond(int* p) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  const long i = blockIdx.x == 1 && threadIdx.x == 5 && threadIdx.y == 2 ? 1L << 40 : threadIdx.x;
  p[i] = s[threadIdx.x];
}

int main() {
  constexpr int n = 32;
  float *a, *b, *c;
  int *p, *q;
  for (float** f : {&a, &b, &c}) cudaMallocManaged(f, n * n * sizeof(float));
  cudaMallocManaged(&p, n * n * sizeof(int));
  cudaMallocManaged(&q, n * n * sizeof(int));
  for (int i = 0; i < n * n; ++i) a[i] = i % 7, b[i] = i % 5, p[i] = i;
  product<side><<<dim3(n / side, n / side), dim3(side, side)>>>(c, a, b, n);
  cudaDeviceSynchronize();
  bool right = true;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
      right = right && sum == c[y * n + x];
    }
  std::printf("product %d", right);
  tile<<<dim3(4, 4), dim3(side, side)>>>(q, p, n - 3);
  cudaDeviceSynchronize();
  right = true;
  for (int y = 0; y < n - 3; ++y)
    for (int x = 0; x < n - 3; ++x) right = right && q[y * (n - 3) + x] == x * (n - 3) + y;
  const bool turned = right;
  sums<<<2, 64, 64 * sizeof(int)>>>(p, 64);
  cudaDeviceSynchronize();
  std::printf(" sums %d tile %d", p[0] == 63 * 32 && p[64] == 63 * 32 + 64 * 64, turned);
  kept<<<1, 64>>>(q, uint2{5, 7});
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < 64; ++i) right = right && q[i] == 1 + 8 + 5 + i + i + i + 3 + 6 + 7;
  std::printf(" kept %d", right);
  groups<<<1, 64>>>(q);
  cudaDeviceSynchronize();
  std::printf(" groups %d\n", q[0] == 63 && q[63] == 0);
  prints<<<1, 8>>>(8);
  cudaDeviceSynchronize();
  beyond<<<3, dim3(16, 4)>>>(p);
  const cudaError_t e = cudaDeviceSynchronize();
  const std::string detail = lab_sim_error_detail();
  std::printf("%s %s\n", cudaGetErrorName(e), detail.substr(0, detail.find("):") + 2).c_str());
}
