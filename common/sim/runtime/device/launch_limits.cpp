#include "sim/runtime/device/launch_limits.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "sim/runtime/device/device_model.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/symbols/symbol_table.hpp"

namespace lab::sim {

namespace {

constexpr std::size_t shared_default = 48 * 1024;

std::mutex limits_guard;
std::map<const void*, std::size_t>& dynamic_limits() {
  static auto* const limits = new std::map<const void*, std::size_t>;
  return *limits;
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

}  // namespace

cudaError_t refuse_launch(cudaError_t error, const lab_sim::kernel_call& call, const std::string& why,
                          const char* about) {
  trace::refused(call.name, about, why, call.from);
  set_detail(hazard_kind::launch_error, std::string{"kernel "} + call.name + " was not launched: " + why);
  return error;
}

std::size_t dynamic_shared_limit(const void* function) {
  const std::lock_guard lock{limits_guard};
  const auto at = dynamic_limits().find(function);
  return at == dynamic_limits().end() ? shared_default : at->second;
}

void set_dynamic_shared_limit(const void* function, std::size_t bytes) {
  const std::lock_guard lock{limits_guard};
  dynamic_limits()[function] = bytes;
}

cudaError_t check_launch(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  const auto& [grid, block, shared, stream, cooperative, packed] = where;
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
  return cooperative ? check_residence(where, call) : cudaSuccess;
}

}  // namespace lab::sim
