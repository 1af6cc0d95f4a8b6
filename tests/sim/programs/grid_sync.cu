// prints: sum of 40 blocks 1048576 valid 1
// prints: the ring went round 40 times
// prints: too many blocks: cudaErrorCooperativeLaunchTooLarge
// prints: without a cooperative launch: cudaErrorLaunchFailure valid 0
#include <cooperative_groups.h>
#include <lab_sim.h>

#include <cstdio>
namespace cg = cooperative_groups;

__global__ void sum(const int* x, int n, int* parts, int* result) {
  cg::grid_group grid = cg::this_grid();
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) s[t] += x[i];
  for (int k = 128; k > 0; k /= 2) {
    __syncthreads();
    if (t < k) s[t] += s[t + k];
  }
  if (t == 0) parts[blockIdx.x] = s[0];
  grid.sync();
  if (blockIdx.x == 0 && t == 0)
    for (unsigned i = 0; i < gridDim.x; ++i) result[0] += parts[i];
  grid.sync();
  if (s[0] != parts[blockIdx.x]) result[0] = -1;  // shared memory is still this block's
  result[1] = grid.is_valid();
}
__global__ void ring(volatile int* turn, int* rounds) {
  extern __shared__ int mine[];
  if (threadIdx.x == 0) {
    mine[0] = blockIdx.x;
    while (atomicAdd((int*)turn, 0) != mine[0]) __nanosleep(100);
    ++*rounds;
    __threadfence();
    atomicAdd((int*)turn, 1);
  }
}
__global__ void alone(int* d) {
  d[0] = cg::this_grid().is_valid();
  cg::this_grid().sync();
}
int main() {
  const int n = 1 << 20;
  int *x, *parts, *result;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&parts, 1000 * sizeof(int));
  cudaMallocManaged(&result, 2 * sizeof(int));
  for (int i = 0; i < n; ++i) x[i] = 1;
  result[0] = result[1] = parts[0] = parts[1] = 0;
  int count = n;
  void* arguments[] = {&x, &count, &parts, &result};
  cudaLaunchCooperativeKernel((void*)sum, dim3(40), dim3(256), arguments, 0, 0);
  cudaDeviceSynchronize();
  std::printf("sum of 40 blocks %d valid %d\n", result[0], result[1]);
  parts[0] = parts[1] = 0;
  int* rounds = parts + 1;
  void* more[] = {&parts, &rounds};
  cudaLaunchCooperativeKernel(ring, 40, 32, more, 64, nullptr);
  cudaDeviceSynchronize();
  std::printf("the ring went round %d times\n", *rounds);
  const cudaError_t refused = cudaLaunchCooperativeKernel((const void*)sum, dim3(4000), dim3(256), arguments, 0, 0);
  std::printf("too many blocks: %s\n", cudaGetErrorName(refused));
  cudaGetLastError();
  alone<<<1, 32>>>(result);
  const cudaError_t failed = cudaDeviceSynchronize();
  lab_sim_reset();
  std::printf("without a cooperative launch: %s valid %d\n", cudaGetErrorName(failed), result[0]);
}
