#include "sim/runtime/device/device_properties.hpp"

#include <algorithm>
#include <cstdio>
#include <initializer_list>

#include "sim/runtime/device/device_model.hpp"
#include "sim/runtime/memory/device_memory.hpp"

namespace lab::sim {

namespace {

constexpr int kib = 1024;
constexpr auto last_attribute = cudaDevAttrOnlyPartialHostNativeAtomicSupported;

void set_what_all_devices_share(cudaDeviceProp& properties) {
  properties.totalGlobalMem = device_bytes_total();
  properties.sharedMemPerBlock = 48 * kib;
  properties.regsPerBlock = properties.regsPerMultiprocessor = 65536;
  properties.warpSize = 32;
  properties.memPitch = 0x7fffffff;
  properties.maxThreadsPerBlock = properties.maxThreadsDim[0] = properties.maxThreadsDim[1] = 1024;
  properties.maxThreadsDim[2] = 64;
  properties.maxGridSize[0] = 0x7fffffff;
  properties.maxGridSize[1] = properties.maxGridSize[2] = 65535;
  properties.clockRate = properties.memoryClockRate = 1000000;
  properties.totalConstMem = 64 * kib;
  properties.textureAlignment = 512;
  properties.texturePitchAlignment = 32;
  properties.deviceOverlap = properties.canMapHostMemory = properties.concurrentKernels = properties.unifiedAddressing =
      1;
  properties.managedMemory = properties.concurrentManagedAccess = properties.streamPrioritiesSupported = 1;
  properties.globalL1CacheSupported = properties.localL1CacheSupported = properties.cooperativeLaunch =
      properties.computePreemptionSupported = 1;
  properties.asyncEngineCount = 3;
  properties.memoryPoolsSupported = 1;
}

// In elements; the last of several numbers counts layers.
void set_texture_limits(cudaDeviceProp& p) {
  constexpr int line = 131072, rows = 65536, edge = 16384, layered = 32768, layers = 2048;
  const auto set = [](auto& limits, std::initializer_list<int> values) {
    std::copy(values.begin(), values.end(), limits);
  };
  p.maxTexture1D = line;
  p.maxTexture1DLinear = 1 << 28;
  p.maxTextureCubemap = p.maxSurfaceCubemap = p.maxSurface1D = layered;
  set(p.maxTexture2D, {line, rows});
  set(p.maxTexture2DLinear, {line, 65000, 2097120});
  set(p.maxTexture2DGather, {layered, layered});
  set(p.maxTexture3D, {edge, edge, edge});
  set(p.maxTexture1DLayered, {layered, layers});
  set(p.maxTexture2DLayered, {layered, layered, layers});
  set(p.maxTextureCubemapLayered, {layered, layers - 2});
  set(p.maxSurface2D, {line, rows});
  set(p.maxSurface3D, {edge, edge, edge});
  set(p.maxSurface1DLayered, {layered, layers});
  set(p.maxSurface2DLayered, {layered, layered, layers});
  set(p.maxSurfaceCubemapLayered, {layered, layers - 2});
  p.surfaceAlignment = 512;
}

}  // namespace

cudaDeviceProp properties_of_device() {
  const auto& d = device();
  cudaDeviceProp p{};
  set_what_all_devices_share(p);
  set_texture_limits(p);
  std::snprintf(p.name, sizeof p.name, "Kernel Lab simulator (like %s)", d.name);
  p.major = d.major;
  p.clusterLaunch = d.major >= 9;
  p.minor = d.minor;
  p.multiProcessorCount = d.multiprocessors;
  p.maxThreadsPerMultiProcessor = d.threads();
  p.maxBlocksPerMultiProcessor = d.blocks;
  p.sharedMemPerMultiprocessor = d.shared;
  p.sharedMemPerBlockOptin = d.shared_per_block;
  p.reservedSharedMemPerBlock = d.shared_reserved;
  p.l2CacheSize = d.l2_megabytes * kib * kib;
  p.memoryBusWidth = d.bus_bits;
  if (d.major >= 8) {  // three quarters, as on an A100
    p.persistingL2CacheMaxSize = p.l2CacheSize / 4 * 3;
    p.accessPolicyMaxWindowSize = 128 * kib * kib;
  }
  return p;
}

cudaError_t attribute_of_device(cudaDeviceAttr attribute, int& value) {
  const cudaDeviceProp p = properties_of_device();
  const auto number = [](std::size_t n) { return static_cast<int>(n); };
  const struct {
    cudaDeviceAttr attribute;
    int value;
  } known[] = {
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, number(p.sharedMemPerBlock)},
      {cudaDevAttrTotalConstantMemory, number(p.totalConstMem)},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
      {cudaDevAttrClockRate, p.clockRate},
      {cudaDevAttrMaxPitch, number(p.memPitch)},
      {cudaDevAttrTextureAlignment, number(p.textureAlignment)},
      {cudaDevAttrGpuOverlap, p.deviceOverlap},
      {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
      {cudaDevAttrComputePreemptionSupported, p.computePreemptionSupported},
      {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
      {cudaDevAttrGlobalL1CacheSupported, p.globalL1CacheSupported},
      {cudaDevAttrLocalL1CacheSupported, p.localL1CacheSupported},
      {cudaDevAttrHostRegisterSupported, 1},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrIntegrated, p.integrated},
      {cudaDevAttrConcurrentKernels, p.concurrentKernels},
      {cudaDevAttrMemoryClockRate, p.memoryClockRate},
      {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
      {cudaDevAttrL2CacheSize, p.l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
      {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
      {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, number(p.sharedMemPerMultiprocessor)},
      {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
      {cudaDevAttrManagedMemory, p.managedMemory},
      {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
      {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
      {cudaDevAttrClusterLaunch, p.clusterLaunch},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, number(p.sharedMemPerBlockOptin)},
      {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
      {cudaDevAttrMaxPersistingL2CacheSize, p.persistingL2CacheMaxSize},
      {cudaDevAttrMaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize},
      {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
      {cudaDevAttrReservedSharedMemoryPerBlock, number(p.reservedSharedMemPerBlock)},
  };
  for (const auto& k : known)
    if (k.attribute == attribute) return value = k.value, cudaSuccess;
  const bool exists = attribute >= cudaDevAttrMaxThreadsPerBlock && attribute <= last_attribute;
  return exists ? (value = 0, cudaSuccess) : cudaErrorInvalidValue;
}

}  // namespace lab::sim
