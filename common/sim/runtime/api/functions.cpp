#include "sim/runtime/device/device_model.hpp"
#include "sim/runtime/device/launch_limits.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/symbols/symbol_table.hpp"

using namespace lab::sim;

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return call([&] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
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
