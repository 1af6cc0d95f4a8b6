#pragma once

#include "vectors.hpp"

// The blocks of a cluster run at the same time and reach each other's shared memory. GPUs before sm_90
// have none, and the CPU simulator takes their code, because it imitates them, too: there every block is a cluster.
#ifdef __CUDA_ARCH_LIST__  // what nvcc compiles for, such as 750, 900
#include <cooperative_groups.h>

#include <algorithm>
constexpr bool has_clusters = std::min({__CUDA_ARCH_LIST__}) >= 900;
#else
constexpr bool has_clusters = false;
#endif

#if defined(__CUDA_ARCH_LIST__) && __CUDA_ARCH__ >= 900
template <int blocks>
__device__ int rank_in() {
  return blocks > 1 ? cooperative_groups::this_cluster().block_rank() : 0;
}
// The same variable of another block of the cluster.
template <int blocks, class T>
__device__ T* same_place(T* here, int rank) {
  return blocks > 1 ? cooperative_groups::this_cluster().map_shared_rank(here, rank) : here;
}
// What a thread has written before it arrives, all threads of the cluster see that have waited.
template <int blocks>
__device__ void arrive() {
  if (blocks > 1) __cluster_barrier_arrive();
}
template <int blocks>
__device__ void wait() {
  blocks > 1 ? __cluster_barrier_wait() : __syncthreads();
}
#else
template <int blocks>
__device__ int rank_in() {
  return 0;
}
template <int blocks, class T>
__device__ T* same_place(T* here, int) {
  return here;
}
template <int blocks>
__device__ void arrive() {}
template <int blocks>
__device__ void wait() {
  __syncthreads();
}
#endif

struct cluster_shape {
  int blocks, threads, shared_bytes;  // threads and bytes: of a block
};

inline cudaLaunchConfig_t config_of(int clusters, cluster_shape shape, cudaLaunchAttribute& attribute) {
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {unsigned(shape.blocks), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = clusters * shape.blocks;
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = shape.shared_bytes;
  config.attrs = &attribute;
  config.numAttrs = shape.blocks > 1;
  return config;
}

// How many clusters the device holds at a time if each multiprocessor has one block; 0 if a block needs more shared
// memory than it has.
template <class Kernel>
int clusters_at_once(Kernel kernel, cluster_shape shape) {
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shape.shared_bytes) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  int clusters = multiprocessors();
  if constexpr (has_clusters) {
    if (shape.blocks == 1) return clusters;
    cudaLaunchAttribute attribute{};
    const auto config = config_of(clusters, shape, attribute);
    if (cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) != cudaSuccess) return cudaGetLastError(), 0;
  }
  return clusters;
}

// They may begin before the kernel ahead of them has ended.
template <class... Parameters, class... Arguments>
void launch_clusters(void (*kernel)(Parameters...), int clusters, cluster_shape shape, Arguments... arguments) {
  cudaLaunchAttribute attributes[2]{few_tiles::begins_early()};
  auto config = config_of(clusters, shape, attributes[1]);
  const int early = few_tiles::can_wait(kernel);
  config.attrs = attributes + 1 - early, config.numAttrs += early;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}
