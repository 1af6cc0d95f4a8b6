#include <map>
#include <mutex>

#include "lab_sim/api/launch_api.h"
#include "sim/runtime/device/device_model.hpp"
#include "sim/runtime/device/launch_limits.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/symbols/symbol_table.hpp"

using namespace lab::sim;

namespace {

std::mutex launchers_guard;
std::map<const void*, lab_sim::packed_launcher>& launchers() {
  static auto* const all = new std::map<const void*, lab_sim::packed_launcher>;
  return *all;
}

}  // namespace

namespace lab_sim {

cudaError_t launch_address(const void* function, const lab_sim::config& where, void** arguments) {
  lab_sim::packed_launcher launcher = nullptr;
  {
    const std::lock_guard lock{launchers_guard};
    const auto at = launchers().find(function);
    if (at != launchers().end()) launcher = at->second;
  }
  if (launcher) return launcher(function, where, arguments);
  set_detail(hazard_kind::launch_error,
             "no kernel is registered at this address; pass a template's instance without a cast");
  return report(cudaErrorInvalidDeviceFunction);
}

bool register_kernel(const void* kernel, packed_launcher launcher) {
  const std::lock_guard lock{launchers_guard};
  return launchers().emplace(kernel, launcher).second;
}

cudaError_t read_config(const cudaLaunchConfig_t* given, config& where) {
  return call([&] {
    if (!given) return cudaErrorInvalidValue;
    where = {given->gridDim, given->blockDim, given->dynamicSmemBytes, given->stream};
    for (unsigned i = 0; i < given->numAttrs; ++i) {
      const auto& a = given->attrs[i];
      if (a.id == cudaLaunchAttributeCooperative) where.cooperative = a.val.cooperative != 0;
      const auto& [x, y, z] = a.val.clusterDim;
      if (a.id == cudaLaunchAttributeClusterDimension) where.cluster = {x, y, z};
    }
    return cudaSuccess;
  });
}

}  // namespace lab_sim

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  return lab_sim::launch_address(function, {grid, block, shared, stream}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream) {
  lab_sim::config where{grid, block, shared, stream};
  where.cooperative = true;
  return lab_sim::launch_address(function, where, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* given, const void* function, void** arguments) {
  lab_sim::config where{1, 1};
  const cudaError_t refused = lab_sim::read_config(given, where);
  return refused == cudaSuccess ? lab_sim::launch_address(function, where, arguments) : refused;
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return call([&] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
      if (device().major < 9) return cudaErrorNotSupported;
      allow_large_clusters(function, value != 0);
      return cudaSuccess;
    }
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        static_cast<std::size_t>(value) > device().shared_per_block)
      return cudaErrorInvalidValue;
    set_dynamic_shared_limit(function, static_cast<std::size_t>(value));
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return call([&] {
    if (!attributes) return cudaErrorInvalidValue;
    if (!function) return cudaErrorInvalidDeviceFunction;
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = device().major * 10 + device().minor;
    attributes->sharedSizeBytes = symbol_of(function).static_shared;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(function));
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return call([&] { return function ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}
