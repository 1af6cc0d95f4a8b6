#include <cstdlib>

#include "sim/runtime/api/memory_pools.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/faults.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"
#include "sim/runtime/streams/stream_capture.hpp"
#include "sim/runtime/streams/streams.hpp"

using namespace lab::sim;

// A launch that finds the memory in use has failed before this step.
capture::work graph_memory::creation(void* pointer, std::size_t bytes, const void* pc) {
  return [=] {
    trace::allocating(pc);
    catch_faults();
    if (!allocate_at(pointer)) return find(pointer) ? cudaErrorInvalidValue : cudaErrorMemoryAllocation;
    pools::allocated(pools::of_graphs(), pointer, bytes);
    return cudaSuccess;
  };
}

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

// A stream that captures gets an address, and the memory comes when the graph runs.
cudaError_t make_in_stream(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream, const void* pc) {
  if (cudaError_t why = cudaSuccess; !built_in(stream) && known(stream) && stream->captures) {
    if (capture::decide(stream, why) == capture::route::refused) return why;
    if (!pointer || bytes == 0) return cudaErrorInvalidValue;
    *pointer = reserve(bytes, "cudaMallocAsync");
    if (!*pointer) return no_memory(bytes, pc);
    capture::keep(stream, graph_memory::creation(*pointer, bytes, pc), *pointer);
    return cudaSuccess;
  }
  const cudaError_t made = make(memory_kind::device, pointer, bytes, pc);
  if (made == cudaSuccess) share_with_devices(*pointer), pools::allocated(pool, *pointer, bytes);
  return made;
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

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  const void* const pc = __builtin_return_address(0);
  return call([&] { return make_in_stream(pointer, bytes, nullptr, stream, pc); });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  const void* const pc = __builtin_return_address(0);
  return call(
      [&] { return pools::exists(pool) ? make_in_stream(pointer, bytes, pool, stream, pc) : cudaErrorInvalidValue; });
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

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  const void* const pc = __builtin_return_address(0);
  return call_that_frees(pointer, [&] {
    return capture::run_or_keep(stream, [=] { return graph_memory::free_in(stream, pointer, pc); });
  });
}

// Freeing in a stream ends the array as a write does, and the host does not wait for it.
cudaError_t graph_memory::free_in(cudaStream_t stream, void* pointer, const void* pc) {
  order::begin(stream);
  const auto array = find(pointer);
  if (array && array->kind == memory_kind::device) trace::wrote(pointer, array->bytes, pc);
  if (!pointer || release_from_pool(pointer, memory_kind::device)) return cudaSuccess;
  return unknown_pointer(pointer, "cudaFreeAsync");
}

void graph_memory::free_again(void* pointer) {
  if (release(pointer, memory_kind::device, memory_kind::device)) pools::freed(pointer);
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
