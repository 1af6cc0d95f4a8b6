// libcu++ in kernels and in host code.
// prints: atomic 256 atomic_ref 624 largest 63
// prints: system 64
// prints: std 10 3 7 2.5
// prints: barrier 2016 1
// prints: waited by token 31
// prints: pipeline 8128
// prints: copied 8128 and 8128 by a barrier
// prints: flag 42
// prints: latch 64
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cooperative_groups.h>

#include <cstdio>

__device__ cuda::atomic<int, cuda::thread_scope_device> count{0};

__global__ void count_threads(int* plain) {
  count.fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(plain[0]), largest(plain[1]);
  sum.fetch_add(threadIdx.x % 6, cuda::std::memory_order_relaxed);
  largest.fetch_max(static_cast<int>(threadIdx.x));
}

__global__ void read_count(int* to) { *to = count.load(); }

__global__ void count_for_host(cuda::atomic<int, cuda::thread_scope_system>* shared) { shared->fetch_add(1); }

__global__ void standard(double* to) {
  cuda::std::array<int, 4> values{1, 2, 3, 4};
  int sum = 0;
  for (int v : values) sum += v;
  const auto pair = cuda::std::make_tuple(3, 7);
  const cuda::std::complex<double> z(1.5, 2.0);
  to[0] = sum;
  to[1] = cuda::std::get<0>(pair);
  to[2] = cuda::std::get<1>(pair);
  to[3] = abs(z);
}

__global__ void meet(int* to) {
  __shared__ int values[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  if (threadIdx.x == 0) init(&all, blockDim.x);
  __syncthreads();
  int sum = 0;
  values[threadIdx.x] = threadIdx.x;
  all.arrive_and_wait();
  for (int v : values) sum += v;
  all.arrive_and_wait();
  values[threadIdx.x] = sum;
  auto token = all.arrive();
  all.wait(cuda::std::move(token));
  if (threadIdx.x == 0) to[0] = values[63], to[1] = values[0] == values[63];
}

// The first warp produces, the second consumes.
__global__ void by_token(int* to) {
  __shared__ int value;
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  if (threadIdx.x == 0) init(&full, blockDim.x);
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 31) value = threadIdx.x;
    (void)full.arrive();
  } else {
    full.arrive_and_wait();
    if (threadIdx.x == 32) *to = value;
  }
}

__global__ void copy_by_pipeline(const int* from, int* to) {
  __shared__ int stage[2][64];
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  pipe.producer_acquire();
  cuda::memcpy_async(&stage[0][threadIdx.x], &from[threadIdx.x], sizeof(int), pipe);
  pipe.producer_commit();
  pipe.producer_acquire();
  cuda::memcpy_async(&stage[1][threadIdx.x], &from[64 + threadIdx.x], cuda::aligned_size_t<4>(sizeof(int)), pipe);
  pipe.producer_commit();
  for (int s = 0; s < 2; ++s) {
    pipe.consumer_wait();
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += stage[s][i];
    __syncthreads();
    pipe.consumer_release();
  }
  if (threadIdx.x == 5) *to = sum;
}

// Each thread copies its own elements, then one copies all.
__global__ void copy_by_barrier(const int* from, int* to) {
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  __shared__ int own[128], all[128];
  if (threadIdx.x == 0) init(&full, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&own[2 * threadIdx.x], &from[2 * threadIdx.x], cuda::aligned_size_t<8>(2 * sizeof(int)), full);
  if (threadIdx.x == 0) cuda::memcpy_async(all, from, sizeof all, full);
  full.arrive_and_wait();
  int of_own = 0, of_all = 0;
  for (int i = 0; i < 128; ++i) of_own += own[i], of_all += all[i];
  if (threadIdx.x == 7) to[0] = of_own, to[1] = of_all;
}

// The last block to come reads what the others have written.
__global__ void flag(int* data, int* to) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(data[1]);
  if (blockIdx.x == 0) {
    data[0] = 42;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    *to = data[0];
  }
}

__global__ void count_down(int* to) {
  __shared__ cuda::latch<cuda::thread_scope_block>* all;
  __shared__ alignas(8) unsigned char memory[sizeof(*all)];
  if (threadIdx.x == 0) all = new (memory) cuda::latch<cuda::thread_scope_block>(blockDim.x);
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_device>(to[1]).fetch_add(1);
  all->arrive_and_wait();
  if (threadIdx.x == 7) to[0] = to[1];
}

int main() {
  int* d;
  cudaMalloc(&d, 512);
  cudaMemset(d, 0, 512);
  count_threads<<<4, 64>>>(d);
  read_count<<<1, 1>>>(d + 2);
  int h[3];
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("atomic %d atomic_ref %d largest %d\n", h[2], h[0], h[1]);

  cuda::atomic<int, cuda::thread_scope_system>* shared;
  cudaMallocManaged(&shared, sizeof *shared);
  new (shared) cuda::atomic<int, cuda::thread_scope_system>(0);
  count_for_host<<<2, 32>>>(shared);
  cudaDeviceSynchronize();
  std::printf("system %d\n", shared->load());
  cudaFree(shared);

  double* numbers;
  cudaMalloc(&numbers, 4 * sizeof(double));
  standard<<<1, 1>>>(numbers);
  double n[4];
  cudaMemcpy(n, numbers, sizeof n, cudaMemcpyDeviceToHost);
  std::printf("std %g %g %g %g\n", n[0], n[1], n[2], n[3]);
  cudaFree(numbers);

  const auto result = [&] {
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    return h[0];
  };
  meet<<<1, 64>>>(d);
  result();
  std::printf("barrier %d %d\n", h[0], h[1]);
  by_token<<<1, 64>>>(d);
  std::printf("waited by token %d\n", result());

  int* from;
  cudaMalloc(&from, 128 * sizeof(int));
  int values[128];
  for (int i = 0; i < 128; ++i) values[i] = i;
  cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice);
  copy_by_pipeline<<<1, 64>>>(from, d);
  std::printf("pipeline %d\n", result());
  copy_by_barrier<<<1, 64>>>(from, d);
  cudaMemcpy(h, d, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("copied %d and %d by a barrier\n", h[0], h[1]);
  cudaFree(from);

  cudaMemset(d, 0, 512);
  flag<<<2, 1>>>(d + 4, d);
  std::printf("flag %d\n", result());
  cudaMemset(d, 0, 512);
  count_down<<<1, 64>>>(d);
  std::printf("latch %d\n", result());
  cudaFree(d);
}
