#include <cstdio>
#include <cstring>
#include <string>

#include "cuda_runtime_api.h"
#include "sim/runtime/device/device_model.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/memory/devices.hpp"

namespace lab_sim::ptx {
unsigned multiprocessors();
}

using namespace lab::sim;

namespace {

std::string bus_of(int device) {
  char text[32];
  std::snprintf(text, sizeof text, "0000:%02X:00.0", static_cast<unsigned>(device));
  return text;
}

template <class T>
cudaError_t answer(T* where, T what) {
  return call([&] { return where ? (*where = what, cudaSuccess) : cudaErrorInvalidValue; });
}

}  // namespace

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return answer(device, 0); }
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call([&] { return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) { return answer(flags, 0u); }
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    const std::string bus = bus_of(device);
    if (!id || length <= static_cast<int>(bus.size())) return cudaErrorInvalidValue;
    return std::strcpy(id, bus.c_str()), cudaSuccess;
  });
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return call([&] {
    if (!device || !id) return cudaErrorInvalidValue;
    for (int d = 0; d < device_count(); ++d)
      if (bus_of(d) == id) return *device = d, cudaSuccess;
    return cudaErrorInvalidDevice;
  });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) { return answer(config, cudaFuncCachePreferNone); }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return answer(config, cudaSharedMemBankSizeFourByte);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return report(sticky()); }
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) { return report(sticky()); }
cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return call([&] {
    const auto found = find(pointer);
    if (!flags || !found || found->kind != memory_kind::pinned) return cudaErrorInvalidValue;
    return *flags = cudaHostAllocMapped, cudaSuccess;
  });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, size_t, unsigned) {
  return call([&] {
    const auto found = find(pointer);
    return found && found->kind == memory_kind::managed ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaCtxResetPersistingL2Cache() { return report(sticky()); }

unsigned lab_sim::ptx::multiprocessors() { return static_cast<unsigned>(device().multiprocessors); }
