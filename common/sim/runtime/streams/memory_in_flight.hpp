#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cuda_runtime_api.h"

// In a traced program, memory that host and device share stays closed to the host while work that uses it is in flight,
// although the simulator has already done that work. The fault of an early access reveals a missing synchronization.

namespace lab::sim::in_flight {

/// Work in a stream reads or writes these bytes. They are in flight until the host waits for it.
void add(std::uintptr_t begin, std::size_t bytes, bool writes, cudaStream_t stream, const std::string& by);
/// Work is added to a stream. It follows everything that this stream, or the legacy stream, waits for.
void follow(cudaStream_t stream);

/// The number of works so far; an event records it.
std::uint64_t now();
/// A stream, or the host, waits for the work of a stream up to a moment; the host waits for all work.
void stream_waits(cudaStream_t stream, cudaStream_t other, std::uint64_t moment);
void host_waits(cudaStream_t stream, std::uint64_t moment);
void host_waits_for_all();

/// Handles a fault of host code. Returns true if the memory was in flight; it is then open, and the access can be
/// retried.
bool reopen(std::uintptr_t address, bool writes, const void* pc);

/// While one exists, all work counts as work of this stream: the one that a graph is launched into.
class in_stream {
 public:
  explicit in_stream(cudaStream_t stream);
  in_stream(const in_stream&) = delete;
  in_stream& operator=(const in_stream&) = delete;
  ~in_stream();

 private:
  bool had_;
  cudaStream_t before_;
};

/// Opens all memory while the device works, and closes it afterwards.
void open();
void close();

}  // namespace lab::sim::in_flight
