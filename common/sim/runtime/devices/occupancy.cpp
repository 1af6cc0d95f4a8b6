#include <algorithm>

#include "lab_sim/api/launch_api.h"
#include "sim/runtime/device/device_model.hpp"
#include "sim/runtime/device/launch_limits.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/symbols/symbol_table.hpp"

using namespace lab::sim;

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   size_t shared, unsigned) {
  return call([&] {
    if (!blocks || threads <= 0) return cudaErrorInvalidValue;
    if (!function) return cudaErrorInvalidDeviceFunction;
    *blocks = occupancy_of(device(), threads, shared + symbol_of(function).static_shared).blocks;
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int threads) {
  return call([&] {
    if (!bytes || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    if (!function) return cudaErrorInvalidDeviceFunction;
    const auto& d = device();
    const std::size_t each = d.shared / static_cast<std::size_t>(blocks) / 128 * 128;
    const std::size_t taken = d.shared_reserved + symbol_of(function).static_shared;
    *bytes = std::min(each > taken ? each - taken : 0, d.shared_per_block);
    return cudaSuccess;
  });
}

namespace {

constexpr int neighbors = 16;  // multiprocessors that share a cluster: most groups of an H100 or an H200 have as many

// How many blocks of this launch fit such a group together.
int blocks_of_neighbors(const void* function, const cudaLaunchConfig_t& where) {
  const auto threads = static_cast<int>(where.blockDim.x * where.blockDim.y * where.blockDim.z);
  return neighbors * occupancy_of(device(), threads, where.dynamicSmemBytes + symbol_of(function).static_shared).blocks;
}

}  // namespace

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const cudaLaunchConfig_t* given) {
  lab_sim::config where{1, 1};
  if (const cudaError_t refused = lab_sim::read_config(given, where); refused != cudaSuccess) return refused;
  return call([&] {
    if (!clusters) return cudaErrorInvalidValue;
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (device().major < 9) return cudaErrorNotSupported;
    const dim3 size = *cluster_of(where, function);
    const auto blocks = static_cast<int>(size.x * size.y * size.z);
    if (blocks == 0 || static_cast<std::size_t>(blocks) > largest_cluster(function)) return cudaErrorInvalidClusterSize;
    if (where.block.x * where.block.y * where.block.z == 0) return cudaErrorInvalidValue;
    *clusters = blocks_of_neighbors(function, *given) / blocks * (device().multiprocessors / neighbors);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function, const cudaLaunchConfig_t* given) {
  return call([&] {
    if (!blocks || !given) return cudaErrorInvalidValue;
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (device().major < 9) return cudaErrorNotSupported;
    const int most = static_cast<int>(largest_cluster(function)), fit = blocks_of_neighbors(function, *given);
    for (*blocks = most; *blocks > fit && *blocks > 1;) *blocks /= 2;
    return fit > 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

namespace lab_sim {

// The largest block of whole warps that leaves the fewest threads of a multiprocessor idle.
cudaError_t best_block(int* grid, int* block, const void* function, size_t (*shared_of)(const void*, int),
                       const void* what, int limit) {
  return call([&] {
    if (!grid || !block || limit < 0) return cudaErrorInvalidValue;
    if (!function) return cudaErrorInvalidDeviceFunction;
    const auto& d = device();
    const std::size_t own = symbol_of(function).static_shared;
    int best = 0, most = limit == 0 ? 1024 : std::min(limit, 1024);
    for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
      const int blocks = occupancy_of(d, threads, own + shared_of(what, threads)).blocks;
      if (blocks * threads <= best) continue;
      best = blocks * threads;
      *block = threads;
      *grid = blocks * d.multiprocessors;
    }
    return best > 0 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // namespace lab_sim
