// Device functions with barriers: a fast program runs them within loops over the threads of a block.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int threads = 64;

inline __device__ unsigned inclusive(unsigned value, volatile unsigned* s, unsigned size, cg::thread_block block) {
  unsigned pos = 2 * threadIdx.x - (threadIdx.x & (size - 1));
  s[pos] = 0;
  pos += size;
  s[pos] = value;
  for (unsigned offset = 1; offset < size; offset <<= 1) {
    cg::sync(block);
    unsigned t = s[pos] + s[pos - offset];
    cg::sync(block);
    s[pos] = t;
  }
  return s[pos];
}

inline __device__ unsigned exclusive(unsigned value, volatile unsigned* s, unsigned size, cg::thread_block block) {
  return inclusive(value, s, size, block) - value;
}

__global__ void scan(unsigned* out, const unsigned* in, unsigned size) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ unsigned s[2 * threads];
  unsigned pos = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = in[pos];
  unsigned result = exclusive(value, s, size, block);
  out[pos] = result;
}

template <class T, int n>
__device__ T total(T value) {
  __shared__ T part[n];
  part[threadIdx.x] = value;
  __syncthreads();
  for (int step = n / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  const T all = part[0];
  __syncthreads();
  return all;
}

__device__ void turn(int& value, int* s) {
  s[threadIdx.x] = value;
  __syncthreads();
  value = s[threads - 1 - threadIdx.x];
  __syncthreads();
}

__global__ void totals(int* out, float* means) {
  __shared__ int s[threads];
  int value = threadIdx.x;
  turn(value, s);
  out[threadIdx.x] = total<int, threads>(value) + value;
  turn(value, s);
  float mean = total<float, threads>(value) / threads;
  means[threadIdx.x] = total<float, threads>(mean * value);
}

int main() {
  unsigned *in, *out;
  cudaMallocManaged(&in, 2 * threads * sizeof(unsigned));
  cudaMallocManaged(&out, 2 * threads * sizeof(unsigned));
  for (unsigned i = 0; i < 2 * threads; ++i) in[i] = i + 1;
  scan<<<2, threads>>>(out, in, threads);
  cudaDeviceSynchronize();
  std::printf("%u %u %u %u\n", out[0], out[63], out[64], out[127]);
  int* turned;
  float* means;
  cudaMallocManaged(&turned, threads * sizeof(int));
  cudaMallocManaged(&means, threads * sizeof(float));
  totals<<<1, threads>>>(turned, means);
  cudaDeviceSynchronize();
  std::printf("%d %d %g %g\n", turned[0], turned[63], means[0], means[63]);
}
// prints: 0 2016 0 6048
// prints: 2079 2016 63504 63504
