#include "lab_sim.h"
#include "sim/runtime/device/device_properties.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/grid.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/memory/devices.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"
#include "sim/runtime/streams/stream_capture.hpp"

using namespace lab::sim;

cudaError_t cudaGetDeviceCount(int* count) {
  return call([&] { return count ? (*count = device_count(), cudaSuccess) : cudaErrorInvalidValue; });
}
cudaError_t cudaSetDevice(int device) {
  return call([&] { return is_device(device) ? (choose_device(device), cudaSuccess) : cudaErrorInvalidDevice; });
}
cudaError_t cudaGetDevice(int* device) {
  return call([&] { return device ? (*device = current_device(), cudaSuccess) : cudaErrorInvalidValue; });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call([&] {
    if (!properties) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    *properties = properties_of_device();
    properties->pciBusID = device;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call([&] {
    if (!value) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    if (attribute == cudaDevAttrPciBusId) return *value = device, cudaSuccess;
    return attribute_of_device(attribute, *value);
  });
}
cudaError_t cudaDeviceSynchronize() {
  return call_that_waits([] {
    const cudaError_t refused = capture::forbids_waiting();
    if (refused == cudaSuccess) in_flight::host_waits_for_all();
    return refused;
  });
}
cudaError_t cudaDeviceReset() {
  in_flight::host_waits_for_all();
  trace::resetting();
  release_all(current_device());
  forget_peers(current_device());
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
