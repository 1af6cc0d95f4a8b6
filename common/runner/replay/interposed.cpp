#include "runner/replay/interposed.hpp"

#include <cuda_runtime_api.h>

#include "runner/replay/interposing.hpp"

// The runtime's functions that host code of a launcher may call and that mean something to a tape. Each does what the
// runtime's own does; with a tape in the machine it notes that as well.

namespace lab::runner {

recording_state& state() {
  static recording_state only;
  return only;
}

void begin_recording(replay::recorder& r) {
  const std::lock_guard one_at_a_time{state().mutex};
  state().running = state().last = &r;
}

void end_recording() {
  const std::lock_guard one_at_a_time{state().mutex};
  state().running = nullptr;
}

namespace {

bool device_owns(const void* p) {
  return with_arena([&](recorder& t) { return t.owns(number(p)); });
}

// Whether the tape's arena gave memory for this; otherwise the runtime must.
bool allocated_in_arena(void** p, std::size_t bytes) {
  return while_recording([&](recorder& t) {
    const auto at = t.allocate(bytes);
    if (at) *p = reinterpret_cast<void*>(at);
    return at != 0;
  });
}

// Freeing waits for the device, unless it is done in a stream's order.
bool freed_in_arena(const void* p, bool waits) {
  if (!p || !device_owns(p)) return false;
  if (waits) note(cudaSuccess, [](recorder& t) { t.barrier(); });
  return true;
}

struct transfer {
  void* to;
  const void* from;
  std::size_t bytes;
  cudaMemcpyKind kind;
  cudaStream_t stream;
  bool waits;  // the host waits until memory of its own has been read
};

void note_copy(recorder& t, const transfer& c) {
  const bool to_device = t.owns(number(c.to)), from_device = t.owns(number(c.from)),
             guess = c.kind == cudaMemcpyDefault;
  const bool up = c.kind == cudaMemcpyHostToDevice || (guess && to_device && !from_device);
  if (!up && c.kind != cudaMemcpyDeviceToDevice && !(guess && to_device))
    return t.refuse("it copies from the device to the host, and may decide by what it sees");
  t.copy({.to = number(c.to),
          .from = number(c.from),
          .host = up ? c.from : nullptr,
          .bytes = c.bytes,
          .stream = number(c.stream)});
  if (up && c.waits) t.barrier();
}

void note_copy_to_symbol(recorder& t, const void* symbol, std::size_t offset, const transfer& c) {
  const bool up = c.kind == cudaMemcpyHostToDevice || (c.kind == cudaMemcpyDefault && !t.owns(number(c.from)));
  t.copy({.to = offset,
          .from = number(c.from),
          .symbol = number(symbol),
          .host = up ? c.from : nullptr,
          .bytes = c.bytes,
          .stream = number(c.stream)});
  if (up && c.waits) t.barrier();
}

}  // namespace

}  // namespace lab::runner

using namespace lab::runner;

extern "C" {

cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  return allocated_in_arena(p, bytes) ? cudaSuccess : LAB_REAL(cudaMalloc)(p, bytes);
}

cudaError_t cudaMallocAsync(void** p, std::size_t bytes, cudaStream_t stream) {
  return allocated_in_arena(p, bytes) ? cudaSuccess : LAB_REAL(cudaMallocAsync)(p, bytes, stream);
}

cudaError_t cudaFree(void* p) { return freed_in_arena(p, true) ? cudaSuccess : LAB_REAL(cudaFree)(p); }

cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
  return freed_in_arena(p, false) ? cudaSuccess : LAB_REAL(cudaFreeAsync)(p, stream);
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return note(LAB_REAL(cudaMemset)(to, value, bytes),
              [&](auto& t) { t.fill(number(to), static_cast<unsigned>(value), bytes, 0); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return note(LAB_REAL(cudaMemsetAsync)(to, value, bytes, stream),
              [&](auto& t) { t.fill(number(to), static_cast<unsigned>(value), bytes, number(stream)); });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return note(LAB_REAL(cudaMemcpy)(to, from, bytes, kind), [&](auto& t) {
    note_copy(t, {to, from, bytes, kind, nullptr, true});
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return note(LAB_REAL(cudaMemcpyAsync)(to, from, bytes, kind, stream), [&](auto& t) {
    note_copy(t, {to, from, bytes, kind, stream, false});
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind kind) {
  return note(LAB_REAL(cudaMemcpyToSymbol)(symbol, from, bytes, offset, kind), [&](auto& t) {
    note_copy_to_symbol(t, symbol, offset, {nullptr, from, bytes, kind, nullptr, true});
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return note(LAB_REAL(cudaMemcpyToSymbolAsync)(symbol, from, bytes, offset, kind, stream), [&](auto& t) {
    note_copy_to_symbol(t, symbol, offset, {nullptr, from, bytes, kind, stream, false});
  });
}

}  // extern "C"
