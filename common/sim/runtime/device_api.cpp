#include <cstring>

#include "errors.hpp"
#include "grid.hpp"
#include "lab_sim.h"
#include "memory.hpp"
#include "trace.hpp"

using namespace lab::sim;

namespace {

constexpr int kilobyte = 1024;

// Compute capability 9.0, as the calibrated hardware; memory as large as this machine can give.
cudaDeviceProp properties() {
  cudaDeviceProp p{};
  std::strcpy(p.name, "Kernel Lab simulator");
  p.totalGlobalMem = device_bytes_total();
  p.sharedMemPerBlock = 48 * kilobyte;
  p.sharedMemPerBlockOptin = 227 * kilobyte;
  p.sharedMemPerMultiprocessor = 228 * kilobyte;
  p.reservedSharedMemPerBlock = kilobyte;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.clockRate = 1000000;
  p.totalConstMem = 64 * kilobyte;
  p.major = 9;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
  p.managedMemory = p.concurrentManagedAccess = p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = p.cooperativeLaunch = p.computePreemptionSupported = 1;
  p.asyncEngineCount = 3;
  p.multiProcessorCount = 132;
  p.memoryClockRate = 1000000;
  p.memoryBusWidth = 64;
  p.l2CacheSize = 50 * kilobyte * kilobyte;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  return p;
}

cudaError_t attribute_of(const cudaDeviceProp& p, cudaDeviceAttr attribute, int& value) {
  const struct {
    cudaDeviceAttr attribute;
    std::size_t value;
  } known[] = {
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxBlockDimX, 1024},
      {cudaDevAttrMaxBlockDimY, 1024},
      {cudaDevAttrMaxBlockDimZ, 64},
      {cudaDevAttrMaxGridDimX, 0x7fffffff},
      {cudaDevAttrMaxGridDimY, 65535},
      {cudaDevAttrMaxGridDimZ, 65535},
      {cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock},
      {cudaDevAttrTotalConstantMemory, p.totalConstMem},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMaxRegistersPerBlock, 65536},
      {cudaDevAttrClockRate, 1000000},
      {cudaDevAttrMultiProcessorCount, 132},
      {cudaDevAttrIntegrated, 0},
      {cudaDevAttrConcurrentKernels, 1},
      {cudaDevAttrMemoryClockRate, 1000000},
      {cudaDevAttrGlobalMemoryBusWidth, 64},
      {cudaDevAttrL2CacheSize, static_cast<std::size_t>(p.l2CacheSize)},
      {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
      {cudaDevAttrAsyncEngineCount, 3},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrComputeCapabilityMajor, 9},
      {cudaDevAttrComputeCapabilityMinor, 0},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
      {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrConcurrentManagedAccess, 1},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin},
      {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
      {cudaDevAttrReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock},
  };
  for (const auto& k : known)
    if (k.attribute == attribute) return value = static_cast<int>(k.value), cudaSuccess;
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  return call([&] { return count ? (*count = 1, cudaSuccess) : cudaErrorInvalidValue; });
}
cudaError_t cudaSetDevice(int device) {
  return call([&] { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaGetDevice(int* device) {
  return call([&] { return device ? (*device = 0, cudaSuccess) : cudaErrorInvalidValue; });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  return call([&] {
    if (!p) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *p = properties();
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call([&] {
    if (!value) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    return attribute_of(properties(), attribute, *value);
  });
}
cudaError_t cudaDeviceSynchronize() { return report(sticky()); }
cudaError_t cudaDeviceReset() {
  release_all();
  forget_errors();
  return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned) { return report(sticky()); }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return report(sticky()); }
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return report(sticky()); }
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&] {
    if (!value) return cudaErrorInvalidValue;
    *value = limit == cudaLimitStackSize ? 1024 : limit == cudaLimitPrintfFifoSize ? 1u << 20 : 8u << 20;
    return cudaSuccess;
  });
}
cudaError_t cudaDriverGetVersion(int* version) {
  return call([&] { return version ? (*version = CUDART_VERSION, cudaSuccess) : cudaErrorInvalidValue; });
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

void lab_sim_start() { start_workers(); }

void lab_sim_reset() {
  forget_errors();
  trace::forget();
}
