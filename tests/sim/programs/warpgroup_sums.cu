// A warpgroup's product adds to sums that lie side by side and to others that do not; both get the same values.
// prints: equal 1, first 1 2, last 70 71
#include <cstdio>

using bf16 = unsigned short;

__device__ bf16 rounded(float x) { return __float_as_uint(x) >> 16; }

constexpr int elements = 2 * 64 * 8 + 2 * 8 * 8;  // of a and b

// c[i][j] = 1 + i + j, where row i of a is (i, 1, 0, ...) and column j of b is (1, j, 0, ...). Eight by eight elements
// are one piece of memory.
template <int apart>
__global__ void product(float* c) {
  extern __shared__ bf16 a[];  // where descriptors reach
  bf16* const b = a + 2 * 64 * 8;
  for (int i = threadIdx.x; i < elements; i += 128) a[i] = 0;
  __syncthreads();
  if (threadIdx.x < 64) a[threadIdx.x * 8] = rounded(threadIdx.x), a[threadIdx.x * 8 + 1] = rounded(1);
  if (threadIdx.x < 8) b[threadIdx.x * 8] = rounded(1), b[threadIdx.x * 8 + 1] = rounded(threadIdx.x);
  asm volatile("fence.proxy.async;");
  __syncthreads();
  const auto descriptor = [](const void* from, unsigned long long to_next_k) {
    return __cvta_generic_to_shared(from) >> 4 | to_next_k >> 4 << 16 | 128ull >> 4 << 32;
  };
  const unsigned long long of_a = descriptor(a, 64 * 16), of_b = descriptor(b, 8 * 16);
  float sums[4 * apart];
  for (int i = 0; i < 4; ++i) sums[i * apart] = 1;
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(sums[0]), "+f"(sums[apart]), "+f"(sums[2 * apart]), "+f"(sums[3 * apart])
               : "l"(of_a), "l"(of_b));
  asm volatile("wgmma.commit_group.sync.aligned;");
  asm volatile("wgmma.wait_group.sync.aligned 0;");
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, col = threadIdx.x % 4 * 2;
  for (int i = 0; i < 4; ++i) c[(row + i / 2 * 8) * 8 + col + i % 2] = sums[i * apart];
}

int main() {
  float *one, *other;
  cudaMallocManaged(&one, 64 * 8 * sizeof(float));
  cudaMallocManaged(&other, 64 * 8 * sizeof(float));
  product<1><<<1, 128, elements * sizeof(bf16)>>>(one);
  product<3><<<1, 128, elements * sizeof(bf16)>>>(other);
  cudaDeviceSynchronize();
  int equal = 1;
  for (int i = 0; i < 64 * 8; ++i) equal &= one[i] == other[i] && one[i] == 1 + i / 8 + i % 8;
  std::printf("equal %d, first %g %g, last %g %g\n", equal, one[0], one[1], other[64 * 8 - 2], other[64 * 8 - 1]);
  cudaFree(one);
  cudaFree(other);
}
