#include <cuda_runtime_api.h>

#include "runner/replay/interposed.hpp"
#include "runner/replay/recording_state.hpp"

// The runtime's functions that allocate, free, fill and copy device memory. Each calls the runtime's own function and,
// while a recorder is active, records the call.

namespace lab::runner {

recording_state& state() {
  static recording_state only;
  return only;
}

void begin_recording(replay::recorder& recorder) {
  const std::lock_guard one_at_a_time{state().mutex};
  state().active = state().latest = &recorder;
}

void end_recording() {
  const std::lock_guard one_at_a_time{state().mutex};
  state().active = nullptr;
}

namespace {

bool arena_owns(const void* pointer) {
  return with_arena([&](recorder& recorder) { return recorder.owns(as_number(pointer)); });
}

// Allocates from the recorder's arena; false if nothing is recorded or the arena is full.
bool allocated_in_arena(void** pointer, std::size_t bytes) {
  return while_recording([&](recorder& recorder) {
    const auto address = recorder.allocate(bytes);
    if (address) *pointer = reinterpret_cast<void*>(address);
    return address != 0;
  });
}

// cudaFree waits for the device; cudaFreeAsync does not.
bool freed_in_arena(const void* pointer, bool waits) {
  if (!pointer || !arena_owns(pointer)) return false;
  if (waits) note(cudaSuccess, [](recorder& recorder) { recorder.barrier(); });
  return true;
}

struct transfer {
  void* to;
  const void* from;
  std::size_t bytes;
  cudaMemcpyKind kind;
  cudaStream_t stream;
  bool waits;  // the call returns after it has read the host memory
};

void note_copy(recorder& recorder, const transfer& copied) {
  const bool to_device = recorder.owns(as_number(copied.to)), from_device = recorder.owns(as_number(copied.from)),
             inferred = copied.kind == cudaMemcpyDefault;
  const bool from_host = copied.kind == cudaMemcpyHostToDevice || (inferred && to_device && !from_device);
  if (!from_host && copied.kind != cudaMemcpyDeviceToDevice && !(inferred && to_device))
    return recorder.refuse("it copies from the device to the host, so its later calls may depend on the data");
  recorder.copy({.to = as_number(copied.to),
                 .from = as_number(copied.from),
                 .host = from_host ? copied.from : nullptr,
                 .bytes = copied.bytes,
                 .stream = as_number(copied.stream)});
  if (from_host && copied.waits) recorder.barrier();
}

void note_copy_to_symbol(recorder& recorder, const void* symbol, std::size_t offset, const transfer& copied) {
  const bool from_host = copied.kind == cudaMemcpyHostToDevice ||
                         (copied.kind == cudaMemcpyDefault && !recorder.owns(as_number(copied.from)));
  recorder.copy({.to = offset,
                 .from = as_number(copied.from),
                 .symbol = as_number(symbol),
                 .host = from_host ? copied.from : nullptr,
                 .bytes = copied.bytes,
                 .stream = as_number(copied.stream)});
  if (from_host && copied.waits) recorder.barrier();
}

}  // namespace

}  // namespace lab::runner

using namespace lab::runner;

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return allocated_in_arena(pointer, bytes) ? cudaSuccess : LAB_REAL(cudaMalloc)(pointer, bytes);
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return allocated_in_arena(pointer, bytes) ? cudaSuccess : LAB_REAL(cudaMallocAsync)(pointer, bytes, stream);
}

cudaError_t cudaFree(void* pointer) {
  return freed_in_arena(pointer, true) ? cudaSuccess : LAB_REAL(cudaFree)(pointer);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return freed_in_arena(pointer, false) ? cudaSuccess : LAB_REAL(cudaFreeAsync)(pointer, stream);
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return note(LAB_REAL(cudaMemset)(to, value, bytes),
              [&](auto& recorder) { recorder.fill(as_number(to), static_cast<unsigned>(value), bytes, 0); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return note(LAB_REAL(cudaMemsetAsync)(to, value, bytes, stream), [&](auto& recorder) {
    recorder.fill(as_number(to), static_cast<unsigned>(value), bytes, as_number(stream));
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return note(LAB_REAL(cudaMemcpy)(to, from, bytes, kind), [&](auto& recorder) {
    note_copy(recorder, {to, from, bytes, kind, nullptr, true});
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return note(LAB_REAL(cudaMemcpyAsync)(to, from, bytes, kind, stream), [&](auto& recorder) {
    note_copy(recorder, {to, from, bytes, kind, stream, false});
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind kind) {
  return note(LAB_REAL(cudaMemcpyToSymbol)(symbol, from, bytes, offset, kind), [&](auto& recorder) {
    note_copy_to_symbol(recorder, symbol, offset, {nullptr, from, bytes, kind, nullptr, true});
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return note(LAB_REAL(cudaMemcpyToSymbolAsync)(symbol, from, bytes, offset, kind, stream), [&](auto& recorder) {
    note_copy_to_symbol(recorder, symbol, offset, {nullptr, from, bytes, kind, stream, false});
  });
}

}  // extern "C"
