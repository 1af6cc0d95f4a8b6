#include "sim/runtime/device/launch_limits.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "sim/runtime/device/device_model.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/symbols/kernel_clusters.hpp"
#include "sim/runtime/symbols/symbol_table.hpp"

namespace lab::sim {

namespace {

constexpr std::size_t shared_default = 48 * 1024;

constexpr std::size_t any_gpus_cluster = 8, largest_of_all = 16;  // blocks

// What host code has set for a kernel.
struct kernel_settings {
  std::size_t dynamic_shared = shared_default;
  bool large_clusters = false;
};

std::mutex settings_guard;
std::map<const void*, kernel_settings>& all_settings() {
  static auto* const all = new std::map<const void*, kernel_settings>;
  return *all;
}

kernel_settings settings_of(const void* kernel) {
  const std::lock_guard lock{settings_guard};
  const auto at = all_settings().find(kernel);
  return at == all_settings().end() ? kernel_settings{} : at->second;
}

template <class Set>
void change_settings(const void* kernel, Set set) {
  const std::lock_guard lock{settings_guard};
  set(all_settings()[kernel]);
}

std::string text(const dim3& size) {
  return "(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + ")";
}

// Blocks that wait for each other must all be resident at the same time.
cudaError_t check_residence(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  const auto threads = static_cast<int>(where.block.x * where.block.y * where.block.z);
  const auto each = occupancy_of(device(), threads, where.shared + symbol_of(call.address).static_shared).blocks;
  const auto most = static_cast<std::size_t>(each) * static_cast<std::size_t>(device().multiprocessors);
  const std::size_t wanted = std::size_t{where.grid.x} * where.grid.y * where.grid.z;
  if (wanted <= most) return cudaSuccess;
  return refuse_launch(
      cudaErrorCooperativeLaunchTooLarge, call,
      std::to_string(wanted) + " blocks cannot be resident at the same time; at most " + std::to_string(most) + " can");
}

// Blocks of a cluster share a group of multiprocessors.
cudaError_t check_cluster(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  const auto& [x, y, z] = where.cluster;
  const std::size_t blocks = std::size_t{x} * y * z;
  if (blocks == 1) return cudaSuccess;
  const auto refuse = [&](cudaError_t error, const std::string& why) {
    return refuse_launch(error, call, "its clusters " + text(where.cluster) + " " + why, "clusters");
  };
  if (device().major < 9)
    return refuse(cudaErrorNotSupported, "need a GPU of compute capability 9.0 or higher; this one has " +
                                             std::to_string(device().major) + "." + std::to_string(device().minor));
  if (where.cooperative) return refuse(cudaErrorNotSupported, "are not simulated in a cooperative launch");
  if (blocks == 0) return refuse(cudaErrorInvalidClusterSize, "have a dimension of 0");
  if (const std::size_t most = largest_cluster(call.address); blocks > most)
    return refuse(
        cudaErrorInvalidClusterSize,
        "have " + std::to_string(blocks) + " blocks; " + std::to_string(most) + " are the most" +
            (most > any_gpus_cluster ? "" : ", unless cudaFuncAttributeNonPortableClusterSizeAllowed is set"));
  if (where.grid.x % x != 0 || where.grid.y % y != 0 || where.grid.z % z != 0)
    return refuse(cudaErrorInvalidClusterSize, "do not divide the grid " + text(where.grid));
  return cudaSuccess;
}

}  // namespace

cudaError_t refuse_launch(cudaError_t error, const lab_sim::kernel_call& call, const std::string& why,
                          const char* about) {
  trace::refused(call.name, about, why, call.from);
  set_detail(hazard_kind::launch_error, std::string{"kernel "} + call.name + " was not launched: " + why);
  return error;
}

std::size_t dynamic_shared_limit(const void* kernel) { return settings_of(kernel).dynamic_shared; }

void set_dynamic_shared_limit(const void* kernel, std::size_t bytes) {
  change_settings(kernel, [&](kernel_settings& of) { of.dynamic_shared = bytes; });
}

void allow_large_clusters(const void* kernel, bool allowed) {
  change_settings(kernel, [&](kernel_settings& of) { of.large_clusters = allowed; });
}

std::size_t largest_cluster(const void* kernel) {
  return settings_of(kernel).large_clusters ? largest_of_all : any_gpus_cluster;
}

std::optional<dim3> cluster_of(const lab_sim::config& where, const void* kernel, const char* name) {
  const auto own = cluster_of_kernel(kernel, name);
  return !own || own->x * own->y * own->z > 1 ? own : where.cluster;
}

cudaError_t check_launch(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  const auto& [grid, block, shared, stream, cooperative, packed, cluster] = where;
  const auto bad = [&](const std::string& why) { return refuse_launch(cudaErrorInvalidConfiguration, call, why); };
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return bad("a dimension of its grid " + text(grid) + " is 0");
  if (block.x == 0 || block.y == 0 || block.z == 0) return bad("a dimension of its block " + text(block) + " is 0");
  if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535)
    return bad("the grid " + text(grid) + " is larger than (2147483647, 65535, 65535)");
  if (block.x > 1024 || block.y > 1024 || block.z > 64)
    return bad("the block " + text(block) + " is larger than (1024, 1024, 64)");
  if (block.x * block.y * block.z > 1024)
    return bad("the block " + text(block) + " has " + std::to_string(block.x * block.y * block.z) +
               " threads; 1024 are the most");
  const std::size_t limit = dynamic_shared_limit(call.address);
  if (shared > limit)
    return refuse_launch(cudaErrorInvalidValue, call,
                         std::to_string(shared) + " bytes of dynamic shared memory are more than " +
                             std::to_string(limit) + "; cudaFuncSetAttribute can raise the limit to " +
                             std::to_string(device().shared_per_block));
  if (const cudaError_t refused = check_cluster(where, call); refused != cudaSuccess) return refused;
  return cooperative ? check_residence(where, call) : cudaSuccess;
}

}  // namespace lab::sim
