#include <cstdlib>

#include "sim/runtime/api/memory_pools.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/faults.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"
#include "sim/runtime/streams/stream_capture.hpp"

using namespace lab::sim;

namespace {

cudaError_t no_memory(size_t bytes, const void* pc);

cudaError_t make(memory_kind kind, void** pointer, size_t bytes, const void* pc) {
  trace::allocating(pc);
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (const cudaError_t refused = capture::forbids_waiting(); refused != cudaSuccess) return refused;
  catch_faults();
  if (bytes == 0) return kind == memory_kind::managed ? cudaErrorInvalidValue : cudaSuccess;
  *pointer = allocate(kind, bytes);
  return *pointer ? cudaSuccess : no_memory(bytes, pc);
}

cudaError_t no_memory(size_t bytes, const void* pc) {
  const auto left = device_bytes_total() - device_bytes_used();
  const auto why =
      "no memory for " + std::to_string(bytes) + " bytes: the device has " + std::to_string(left) + " left";
  trace::refused("", "allocations", why, pc);
  return cudaErrorMemoryAllocation;
}

bool release_from_pool(void* pointer, memory_kind or_kind) {
  if (!release(pointer, memory_kind::device, or_kind)) return false;
  pools::freed(pointer);
  return true;
}

// After a fault, CUDA frees nothing. Memory that the program wants to free is no leak.
template <class Action>
cudaError_t call_that_frees(const void* pointer, Action action) {
  if (sticky() != cudaSuccess) trace::freed_in_vain(pointer);
  return call(action);
}

cudaError_t unknown_pointer(const void* pointer, const char* call) {
  const auto where = describe(reinterpret_cast<std::uintptr_t>(pointer));
  set_detail(hazard_kind::launch_error, std::string{call} + " got a pointer that it cannot free: " + where.words);
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  const void* const pc = __builtin_return_address(0);
  return call([&] { return make(memory_kind::device, pointer, bytes, pc); });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t) {
  const void* const pc = __builtin_return_address(0);
  return call([&] {
    const cudaError_t made = make(memory_kind::device, pointer, bytes, pc);
    if (made == cudaSuccess) share_with_devices(*pointer), pools::allocated(nullptr, *pointer, bytes);
    return made;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t) {
  const void* const pc = __builtin_return_address(0);
  return call([&] {
    if (!pools::exists(pool)) return cudaErrorInvalidValue;
    const cudaError_t made = make(memory_kind::device, pointer, bytes, pc);
    if (made == cudaSuccess) share_with_devices(*pointer), pools::allocated(pool, *pointer, bytes);
    return made;
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  const void* const pc = __builtin_return_address(0);
  return call([&] {
    if (!pitch) return cudaErrorInvalidValue;
    *pitch = (width + 511) / 512 * 512;
    return make(memory_kind::device, pointer, *pitch * height, pc);
  });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  const void* const pc = __builtin_return_address(0);
  return call([&] {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return make(memory_kind::managed, pointer, bytes, pc);
  });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned) {
  const void* const pc = __builtin_return_address(0);
  return call([&] { return make(memory_kind::pinned, pointer, bytes, pc); });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  const void* const pc = __builtin_return_address(0);
  return call([&] { return make(memory_kind::pinned, pointer, bytes, pc); });
}

cudaError_t cudaFree(void* pointer) {
  return call_that_frees(pointer, [&] {
    in_flight::host_waits_for_all();
    if (!pointer || release_from_pool(pointer, memory_kind::managed)) return cudaSuccess;
    return unknown_pointer(pointer, "cudaFree");
  });
}

// Freeing in a stream ends the array as a write does, and the host does not wait for it.
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  const void* const pc = __builtin_return_address(0);
  return call_that_frees(pointer, [&] {
    order::begin(stream);
    const auto array = find(pointer);
    if (array && array->kind == memory_kind::device) trace::wrote(pointer, array->bytes, pc);
    if (!pointer || release_from_pool(pointer, memory_kind::device)) return cudaSuccess;
    return unknown_pointer(pointer, "cudaFreeAsync");
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return call_that_frees(pointer, [&] {
    in_flight::host_waits_for_all();
    if (!pointer || release(pointer, memory_kind::pinned, memory_kind::pinned)) return cudaSuccess;
    return unknown_pointer(pointer, "cudaFreeHost");
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return call([&] {
    const auto found = find(host);
    if (!device || !found || found->kind == memory_kind::device) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned) {
  return call([&] {
    if (!pointer || bytes == 0) return cudaErrorInvalidValue;
    if (find(pointer)) return cudaErrorHostMemoryAlreadyRegistered;
    register_memory(pointer, bytes, memory_kind::pinned);
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call([&] { return unregister_memory(pointer) ? cudaSuccess : cudaErrorHostMemoryNotRegistered; });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return call([&] {
    if (!free_bytes || !total_bytes) return cudaErrorInvalidValue;
    *total_bytes = device_bytes_total();
    *free_bytes = *total_bytes - device_bytes_used();
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call([&] {
    if (!attributes) return cudaErrorInvalidValue;
    const auto found = find(pointer);
    void* const p = const_cast<void*>(pointer);
    const bool on_device = found && found->kind != memory_kind::pinned;
    *attributes = {cudaMemoryTypeUnregistered, found ? found->device : -2, found ? p : nullptr, p};
    if (!found) return cudaSuccess;
    attributes->type = on_device ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
    if (found->kind == memory_kind::managed) attributes->type = cudaMemoryTypeManaged;
    if (attributes->type == cudaMemoryTypeDevice) attributes->hostPointer = nullptr;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int, cudaStream_t) {
  return call([&] {
    const auto found = find(pointer);
    const bool managed = found && found->kind == memory_kind::managed;
    return managed && found->holds(reinterpret_cast<std::uintptr_t>(pointer), bytes) ? cudaSuccess
                                                                                     : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise, int) {
  return cudaMemPrefetchAsync(pointer, bytes, 0, nullptr);
}
