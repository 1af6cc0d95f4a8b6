// Threads that arrive at a barrier in shared memory once their copies past the registers have come: as one of the
// arrivals that the barrier counts, or as one more. Copies that a thread also waits for come once.
// prints: 63 62 0 | 127 126 64
// prints: 190 188 64
// prints: 0 66 126
#include <cstdio>

__device__ unsigned address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

__device__ void copy(int* to, const int* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address(to)), "l"(from) : "memory");
}

__device__ void expect_all(unsigned long long* barrier) {
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(address(barrier)) : "memory");
  __syncthreads();
}

__device__ void arrive_after_copies(unsigned long long* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address(barrier)) : "memory");
}

__device__ void wait(unsigned long long* barrier, unsigned parity) {
  unsigned over = 0;
  while (!over)
    asm volatile(
        "{\n.reg .pred over;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n"
        "selp.u32 %0, 1, 0, over;\n}"
        : "=r"(over)
        : "r"(address(barrier)), "r"(parity)
        : "memory");
}

// Thread t stores what thread 63 - t has copied, in two rounds; and the sum, which it has waited for itself.
__global__ void copies(const int* from, int* to) {
  __shared__ unsigned long long barrier;
  __shared__ int first[64], second[64];
  const int t = threadIdx.x;
  expect_all(&barrier);
  copy(&first[t], from + t);
  arrive_after_copies(&barrier);
  wait(&barrier, 0);
  to[t] = first[63 - t];

  copy(&second[t], from + 64 + t);
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(address(&barrier)) : "memory");
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&barrier)) : "memory");
  wait(&barrier, 1);
  to[64 + t] = second[63 - t];
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  to[128 + t] = first[63 - t] + second[63 - t];
}

// An arrival for the first of two groups; then the thread waits for the groups as well.
__global__ void groups(const int* from, int* to) {
  __shared__ unsigned long long barrier;
  __shared__ int first[64], second[64];
  const int t = threadIdx.x;
  expect_all(&barrier);
  copy(&first[t], from + t);
  asm volatile("cp.async.commit_group;" ::: "memory");
  arrive_after_copies(&barrier);
  copy(&second[t], from + 2 * t);
  asm volatile("cp.async.commit_group;" ::: "memory");
  wait(&barrier, 0);
  const int other = first[63 - t];
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  const int own = first[t];
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  to[t] = own + other - 63 + second[t];
}

int main() {
  int *from, *to;
  cudaMallocManaged(&from, 128 * sizeof(int));
  cudaMallocManaged(&to, 192 * sizeof(int));
  for (int i = 0; i < 128; ++i) from[i] = i;
  copies<<<1, 64>>>(from, to);
  cudaDeviceSynchronize();
  std::printf("%d %d %d | %d %d %d\n%d %d %d\n", to[0], to[1], to[63], to[64], to[65], to[127], to[128], to[129],
              to[191]);
  groups<<<1, 64>>>(from, to);
  cudaDeviceSynchronize();
  std::printf("%d %d %d\n", to[0], to[33], to[63]);
  cudaFree(from);
  cudaFree(to);
}
