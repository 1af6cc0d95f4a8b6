#include <cstring>
#include <string>

#include "lab_sim.h"
#include "sim/runtime/api/copy_rows.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/faults.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/memory/devices.hpp"
#include "sim/runtime/streams/device_access.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"
#include "sim/runtime/streams/stream_capture.hpp"

using namespace lab::sim;

namespace {

// Where one end of a copy must be; with cudaMemcpyDefault its address decides.
enum class side { host, device, either };

cudaError_t check(const char* end, const void* pointer, std::size_t bytes, side wanted, const void* pc) {
  if (!pointer) return refuse_copy(std::string{"the copy's "} + end + " is a null pointer", pc);
  const auto at = find(pointer);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const bool on_device = at && at->kind != memory_kind::pinned, only_device = at && at->kind == memory_kind::device;
  if (at && !at->holds(address, bytes))
    return refuse_copy(std::string{"the copy's "} + end + " is out of bounds: " + std::to_string(bytes) +
                           " bytes from " + describe(address).words,
                       pc);
  if (wanted == side::device && !on_device && !at)
    return refuse_copy(std::string{"the copy's "} + end +
                           " should be device memory, but cudaMalloc did not allocate it: " + describe(address).words,
                       pc);
  if (wanted == side::host && only_device)
    return refuse_copy(std::string{"the copy's "} + end + " should be host memory, but is device memory", pc);
  return cudaSuccess;
}

cudaError_t check_ends(const void* to, std::size_t to_bytes, const void* from, std::size_t from_bytes,
                       cudaMemcpyKind kind, const void* pc) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  const bool chosen = kind == cudaMemcpyDefault;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const cudaError_t first = check("destination", to, to_bytes,
                                  chosen      ? side::either
                                  : to_device ? side::device
                                              : side::host,
                                  pc);
  if (first != cudaSuccess) return first;
  return check("source", from, from_bytes, chosen ? side::either : from_device ? side::device : side::host, pc);
}

bool in_device_memory(const void* pointer) {
  const auto at = find(pointer);
  return at && at->kind != memory_kind::pinned;
}

// For the judge: work that moved to the host needs such copies. A fill has no source.
void note_copy(const void* to, const void* from, std::size_t bytes) {
  if (!trace::enabled()) return;
  const bool written = in_device_memory(to);
  if (written) trace::written_by_copy(bytes);
  if (!written && from && in_device_memory(from)) trace::copied_to_host(bytes);
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const origin& by) {
  order::begin(by.stream);
  if (bytes == 0) return cudaSuccess;
  const cudaError_t checked = check_ends(to, bytes, from, bytes, kind, by.pc);
  if (checked != cudaSuccess) return checked;
  const device_access open;
  std::memmove(to, from, bytes);
  note_copy(to, from, bytes);
  trace::read(from, bytes, by.pc);
  trace::wrote(to, bytes, by.pc);
  return cudaSuccess;
}

// A copy of page-locked memory is in flight until the host waits for it.
void mark_in_flight(const void* to, const void* from, std::size_t bytes) {
  const auto mark = [&](const void* p, bool writes) {
    const auto at = find(p);
    if (!at || at->kind != memory_kind::pinned || !at->own_pages) return;
    in_flight::add(reinterpret_cast<std::uintptr_t>(p), bytes, writes, "cudaMemcpyAsync");
  };
  mark(to, true);
  mark(from, false);
}

}  // namespace

namespace lab::sim {

cudaError_t refuse_copy(const std::string& why, const void* pc) {
  set_detail(hazard_kind::launch_error, why);
  trace::refused("", "copies", why, pc);
  return cudaErrorInvalidValue;
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind, const origin& by) {
  order::begin(by.stream);
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
  const cudaError_t checked =
      check_ends(to, to_pitch * (height - 1) + width, from, from_pitch * (height - 1) + width, kind, by.pc);
  if (checked != cudaSuccess) return checked;
  const device_access open;
  for (std::size_t row = 0; row < height; ++row) {
    char* const target = static_cast<char*>(to) + row * to_pitch;
    const char* const source = static_cast<const char*>(from) + row * from_pitch;
    std::memmove(target, source, width);
    note_copy(target, source, width);
    trace::read(source, width, by.pc);
    trace::wrote(target, width, by.pc);
  }
  return cudaSuccess;
}

cudaError_t fill_rows(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      const origin& by, std::size_t element) {
  order::begin(by.stream);
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > pitch) return cudaErrorInvalidValue;
  const cudaError_t checked = check("destination", pointer, pitch * (height - 1) + width, side::device, by.pc);
  if (checked != cudaSuccess) return checked;
  const device_access open;
  for (std::size_t row = 0; row < height; ++row) {
    char* const start = static_cast<char*>(pointer) + row * pitch;
    if (element == 1) std::memset(start, value, width);
    for (std::size_t at = 0; element > 1 && at + element <= width; at += element)
      std::memcpy(start + at, &value, element);
    note_copy(start, nullptr, width);
    trace::wrote(start, width, by.pc);
  }
  return cudaSuccess;
}

void wait_for_copy(const void* to, const void* from) {
  const auto of_device = [](const void* p) {
    const auto at = find(p);
    return at && at->kind == memory_kind::device;
  };
  if (!of_device(to) || !of_device(from)) in_flight::host_waits(nullptr);
}

}  // namespace lab::sim

namespace {

cudaError_t fill_in_stream(void* pointer, size_t pitch, int value, size_t width, size_t height, const origin& by) {
  return call([&] {
    return capture::run_or_keep(by.stream, [=] { return fill_rows(pointer, pitch, value, width, height, by); });
  });
}

}  // namespace

void* lab_sim_malloc_of_file(int file, size_t offset, size_t bytes) {
  const void* const pc = __builtin_return_address(0);
  catch_faults();
  void* const made = bytes > 0 ? allocate(bytes, {file, offset}) : nullptr;
  if (!made) return nullptr;
  note_copy(made, nullptr, bytes);
  trace::wrote(made, bytes, pc);
  return made;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const origin by{nullptr, __builtin_return_address(0)};
  return call([&] {
    const cudaError_t done = capture::run_or_keep(nullptr, [=] { return copy(to, from, bytes, kind, by); });
    wait_for_copy(to, from);
    return done;
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const origin by{stream, __builtin_return_address(0)};
  return call([&] {
    return capture::run_or_keep(stream, [=] {
      const cudaError_t done = copy(to, from, bytes, kind, by);
      if (done == cudaSuccess) mark_in_flight(to, from, bytes);
      return done;
    });
  });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  const origin by{nullptr, __builtin_return_address(0)};
  return call([&] {
    if (!is_device(to_device) || !is_device(from_device)) return cudaErrorInvalidDevice;
    return capture::run_or_keep(nullptr, [=] { return copy(to, from, bytes, cudaMemcpyDeviceToDevice, by); });
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  const origin by{stream, __builtin_return_address(0)};
  return call([&] {
    if (!is_device(to_device) || !is_device(from_device)) return cudaErrorInvalidDevice;
    return capture::run_or_keep(stream, [=] { return copy(to, from, bytes, cudaMemcpyDeviceToDevice, by); });
  });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  const origin by{nullptr, __builtin_return_address(0)};
  return call([&] {
    const cudaError_t done = capture::run_or_keep(
        nullptr, [=] { return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, by); });
    wait_for_copy(to, from);
    return done;
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const origin by{stream, __builtin_return_address(0)};
  return call([&] {
    return capture::run_or_keep(stream,
                                [=] { return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, by); });
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return fill_in_stream(pointer, bytes, value, bytes, 1, {nullptr, __builtin_return_address(0)});
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return fill_in_stream(pointer, bytes, value, bytes, 1, {stream, __builtin_return_address(0)});
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return fill_in_stream(pointer, pitch, value, width, height, {nullptr, __builtin_return_address(0)});
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return fill_in_stream(pointer, pitch, value, width, height, {stream, __builtin_return_address(0)});
}

namespace lab_sim {

cudaError_t copy_to_symbol(void* symbol, size_t size, const void* from, size_t bytes, size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
  const origin by{stream, __builtin_return_address(0)};
  return call([&] {
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
    if (offset > size || bytes > size - offset) return refuse_copy("the copy goes beyond the end of the symbol", by.pc);
    const auto wanted = kind == cudaMemcpyDefault          ? side::either
                        : kind == cudaMemcpyDeviceToDevice ? side::device
                                                           : side::host;
    const cudaError_t checked = bytes > 0 ? check("source", from, bytes, wanted, by.pc) : cudaSuccess;
    if (checked != cudaSuccess) return checked;
    order::begin(stream);
    {
      const device_access open;
      std::memcpy(static_cast<char*>(symbol) + offset, from, bytes);
      if (trace::enabled()) trace::written_by_copy(bytes);
      trace::read(from, bytes, by.pc);
      trace::wrote(static_cast<char*>(symbol) + offset, bytes, by.pc);
    }
    if (waits) wait_for_copy(symbol, from);
    return cudaSuccess;
  });
}

cudaError_t copy_from_symbol(void* to, const void* symbol, size_t size, size_t bytes, size_t offset,
                             cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
  const origin by{stream, __builtin_return_address(0)};
  return call([&] {
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
    if (offset > size || bytes > size - offset) return refuse_copy("the copy goes beyond the end of the symbol", by.pc);
    const auto wanted = kind == cudaMemcpyDefault          ? side::either
                        : kind == cudaMemcpyDeviceToDevice ? side::device
                                                           : side::host;
    const cudaError_t checked = bytes > 0 ? check("destination", to, bytes, wanted, by.pc) : cudaSuccess;
    if (checked != cudaSuccess) return checked;
    order::begin(stream);
    {
      const device_access open;
      std::memcpy(to, static_cast<const char*>(symbol) + offset, bytes);
      if (trace::enabled() && !in_device_memory(to)) trace::copied_to_host(bytes);
      trace::read(static_cast<const char*>(symbol) + offset, bytes, by.pc);
      trace::wrote(to, bytes, by.pc);
    }
    if (waits) wait_for_copy(to, symbol);
    return cudaSuccess;
  });
}

cudaError_t symbol_address(void** pointer, const void* symbol, size_t size) {
  return call([&] {
    if (!pointer) return cudaErrorInvalidValue;
    if (!find(symbol)) register_memory(symbol, size, memory_kind::symbol);
    *pointer = const_cast<void*>(symbol);
    return cudaSuccess;
  });
}

}  // namespace lab_sim
