// prints: int 1 short 1 double 1 bool 1 float 1
// prints: sums 1 partial 1
// prints: cudaSuccess
#include <lab_sim.h>

#include <cstdio>
#include <cstring>
#define FULL_MASK 0xffffffff

template <class T>
__global__ void types(T* out, const T* in) {
  const T v = in[threadIdx.x];
  T down = __shfl_down_sync(FULL_MASK, v, 3);
  T turned = __shfl_xor_sync(FULL_MASK, v, 5, 8);
  out[threadIdx.x] = down;
  out[threadIdx.x + 64] = turned;
  out[threadIdx.x + 128] = __shfl_sync(FULL_MASK, v, threadIdx.x * 7 % 32);
}

__inline__ __device__ float warp_sum(float v) {
#pragma unroll
  for (int step = warpSize / 2; step > 0; step >>= 1) v += __shfl_down_sync(FULL_MASK, v, step);
  return v;
}

__inline__ __device__ float block_sum(float v) {
  static __shared__ float s[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  v = warp_sum(v);
  if (lane == 0) s[warp] = v;
  __syncthreads();
  v = (threadIdx.x < blockDim.x / warpSize) ? s[lane] : 0;
  if (warp == 0) v = warp_sum(v);
  return v;
}

__global__ void sums(float* out, const float* in, int n) {
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
  v = block_sum(v);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}

__global__ void halves(float* p) {
  float v = p[threadIdx.x + blockDim.x * threadIdx.y];
  if (threadIdx.x < 32) v += __shfl_down_sync(~0u, v, 1);
  p[threadIdx.x + blockDim.x * threadIdx.y] = v;
}

template <class T>
bool passes() {
  T *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(T));
  cudaMallocManaged(&out, 192 * sizeof(T));
  for (int i = 0; i < 64; ++i) in[i] = static_cast<T>(i * 5 % 64 - 20);
  types<<<1, 64>>>(out, in);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < 64; ++i) {
    const int warp = i / 32 * 32;
    right = right && out[i] == in[i % 32 + 3 < 32 ? i + 3 : i] && out[i + 64] == in[i ^ 5];
    right = right && out[i + 128] == in[warp + i * 7 % 32];
  }
  return right;
}

int main(int arguments, char**) {
  std::printf("int %d short %d double %d ", passes<int>(), passes<short>(), passes<double>());
  std::printf("bool %d float %d\n", passes<bool>(), passes<float>());
  constexpr int n = 5000;
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, 4 * sizeof(float));
  float all = 0;
  for (int i = 0; i < n; ++i) all += in[i] = i % 9;
  sums<<<3, 256>>>(out, in, n);
  cudaDeviceSynchronize();
  const bool right = out[0] + out[1] + out[2] == all;
  for (int i = 0; i < 40; ++i) in[i] = i;
  halves<<<1, 40>>>(in);
  const auto e = cudaDeviceSynchronize();
  bool partial = true;
  for (int i = 0; i < 40; ++i) partial = partial && in[i] == (i < 31 ? 2 * i + 1 : i == 31 ? 62 : i);
  std::printf("sums %d partial %d\n%s\n", right, partial, cudaGetErrorName(e));
  if (arguments < 2) return 0;
  halves<<<1, dim3(40, 2)>>>(in);  // only loops over threads refuse this
  std::printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%d\n", std::strstr(lab_sim_error_detail(),
                                  "no whole warps; compile the program with --no-thread-loops") != nullptr);
}
