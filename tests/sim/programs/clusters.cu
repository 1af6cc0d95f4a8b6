// prints: histogram cudaSuccess right
// prints: 0 1 0 1
// prints: 2 3 2 3
// prints: 4 5 4 5
// prints: 0 1 0 1
// prints: 2 3 2 3
// prints: 4 5 4 5
// prints: early exits cudaSuccess 1 split barrier cudaSuccess 6
// prints: arrives late cudaSuccess
// prints: clusters at a time 512 of 4 blocks, 32 of 4 large ones, up to 8 blocks
// prints: grid of 7 cudaErrorInvalidClusterSize, 16 blocks cudaErrorInvalidClusterSize cudaSuccess
// prints: of the kernel's own size cudaSuccess, of another cudaErrorInvalidClusterSize
// prints: no such block cudaErrorLaunchFailure
// prints: waits alone cudaErrorLaunchFailure
#include <cooperative_groups.h>
#include <lab_sim.h>

#include <cstdio>
namespace cg = cooperative_groups;

constexpr int bins = 1000, team = 4, own_bins = bins / team;

// The bins are spread over the blocks of a cluster.
__global__ void histogram(int* sums, const int* in, int n) {
  extern __shared__ int part[];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < own_bins; i += blockDim.x) part[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(cluster.map_shared_rank(part, in[i] / own_bins) + in[i] % own_bins, 1);
  cluster.sync();
  for (int i = threadIdx.x; i < own_bins; i += blockDim.x)
    atomicAdd(&sums[cluster.block_rank() * own_bins + i], part[i]);
}

// By CUDA's groups and by PTX.
__global__ void __cluster_dims__(2, 3, 1) places(unsigned* out) {
  __shared__ unsigned own;
  const auto cluster = cg::this_cluster();
  unsigned rank, blocks, x, y, nx, id, owner, there, value;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
  asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(nx));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
  const dim3 index = cluster.block_index();
  bool right = rank == cluster.block_rank() && blocks == cluster.num_blocks() && x == index.x && y == index.y;
  right = right && nx == 2 && id == blockIdx.x / 2 && cluster.num_threads() == 6 * 32;
  if (threadIdx.x == 0) own = 100 + rank;
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  const unsigned next = (rank + 1) % blocks, address = __cvta_generic_to_shared(&own);
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(next));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there));
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(there));
  const unsigned* const of_next = cluster.map_shared_rank(&own, next);
  right =
      right && value == 100 + next && owner == next && *of_next == value && cluster.query_shared_rank(of_next) == next;
  cluster.sync();  // no block ends before the others have read
  if (threadIdx.x == 0) out[blockIdx.x + gridDim.x * blockIdx.y] = right ? rank : 99;
}

// Threads that have exited are awaited no more.
__global__ void __cluster_dims__(3) early_exits(int* out) {
  if (threadIdx.x >= 10 * blockIdx.x + 5) return;
  cg::this_cluster().sync();
  if (blockIdx.x == 2 && threadIdx.x == 24) *out = 1;
}

// What a thread does between arriving and waiting may be late.
__global__ void __cluster_dims__(2) split_barrier(int* out) {
  __shared__ int mine[32];
  const auto cluster = cg::this_cluster();
  mine[threadIdx.x] = blockIdx.x + 1;
  auto token = cluster.barrier_arrive();
  int sum = threadIdx.x % 2;
  cluster.barrier_wait(static_cast<decltype(token)&&>(token));
  for (int r = 0; r < 2; ++r) sum += *cluster.map_shared_rank(&mine[threadIdx.x], r);
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (threadIdx.x == 31 && blockIdx.x == 1) *out = sum + __clusterSizeInBlocks() * (__clusterIdx().x == 0);
}

__global__ void __cluster_dims__(2) no_such_block(int* out) {
  __shared__ int mine;
  *cg::this_cluster().map_shared_rank(&mine, 2) = 1;
  *out = mine;
}
// At the barrier of a block that may have ended. A traced program reports it (tests/sim/corpus).
__global__ void __cluster_dims__(2) arrives_late() {
  __shared__ unsigned long long barrier;
  const unsigned place = __cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(place));
  cg::this_cluster().sync();
  if (threadIdx.x == 0)
    asm volatile(
        "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(place),
        "r"(1 - blockIdx.x));
}
__global__ void __cluster_dims__(2) waits_alone() { __cluster_barrier_wait(); }
__global__ void nothing() {}

cudaLaunchConfig_t configuration(int grid, int block, size_t shared, cudaLaunchAttribute& attribute, unsigned blocks) {
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {blocks, 1, 1};
  cudaLaunchConfig_t made = {};
  made.gridDim = grid, made.blockDim = block, made.dynamicSmemBytes = shared;
  made.attrs = &attribute, made.numAttrs = 1;
  return made;
}

int main() {
  constexpr int n = 10000;
  int *in, *sums, expected[bins] = {};
  unsigned* out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&sums, bins * sizeof *sums);
  cudaMallocManaged(&out, 24 * sizeof *out);
  for (int i = 0; i < n; ++i) ++expected[in[i] = i * 7919LL % 1000 * i % bins];
  for (int i = 0; i < bins; ++i) sums[i] = 0;
  cudaLaunchAttribute attribute;
  auto config = configuration(8, 128, own_bins * sizeof(int), attribute, team);
  std::printf("histogram %s", cudaGetErrorName(cudaLaunchKernelEx(&config, histogram, sums, (const int*)in, n)));
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < bins; ++i) right = right && sums[i] == expected[i];
  std::printf(" %s\n", right ? "right" : "wrong");

  places<<<dim3(4, 6), 32>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 24; ++i) std::printf("%u%c", out[i], i % 4 == 3 ? '\n' : ' ');
  sums[0] = 0;
  early_exits<<<3, 32>>>(sums);
  std::printf("early exits %s", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf(" %d", sums[0]);
  split_barrier<<<2, 32>>>(sums);
  std::printf(" split barrier %s", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf(" %d\n", sums[0]);

  arrives_late<<<2, 32>>>();
  std::printf("arrives late %s\n", cudaGetErrorName(cudaDeviceSynchronize()));

  int several = 0, large = 0, most = 0;
  cudaOccupancyMaxActiveClusters(&several, histogram, &config);
  cudaFuncSetAttribute(histogram, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
  config.dynamicSmemBytes = 200 << 10;
  cudaOccupancyMaxActiveClusters(&large, histogram, &config);
  cudaOccupancyMaxPotentialClusterSize(&most, histogram, &config);
  std::printf("clusters at a time %d of 4 blocks, %d of 4 large ones, up to %d blocks\n", several, large, most);

  config = configuration(7, 32, 0, attribute, 2);
  std::printf("grid of 7 %s", cudaGetErrorName(cudaLaunchKernelEx(&config, nothing)));
  config = configuration(16, 32, 0, attribute, 16);
  std::printf(", 16 blocks %s", cudaGetErrorName(cudaLaunchKernelEx(&config, nothing)));
  cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  std::printf(" %s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, nothing)));
  cudaGetLastError();

  config = configuration(6, 32, 0, attribute, 3);
  std::printf("of the kernel's own size %s", cudaGetErrorName(cudaLaunchKernelEx(&config, early_exits, sums)));
  config = configuration(12, 32, 0, attribute, 4);
  std::printf(", of another %s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, early_exits, sums)));
  cudaGetLastError();

  no_such_block<<<2, 32>>>(sums);
  std::printf("no such block %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  lab_sim_reset();
  waits_alone<<<2, 32>>>();
  std::printf("waits alone %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
