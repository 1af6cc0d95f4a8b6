#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cuda_runtime_api.h"

// Traced programs: memory that host and device share stays closed to the host while the device may work on it, although
// the simulator has done the work already. So a missing synchronisation shows itself.

namespace lab::sim::in_flight {

/// Work in a stream reads or writes these bytes until the host waits for it.
void add(std::uintptr_t begin, std::size_t bytes, bool writes, cudaStream_t stream, const std::string& by);
/// Some work goes into a stream; it comes after what that stream, or the legacy stream, waits for.
void follow(cudaStream_t stream);

/// How much work there has been; what an event remembers.
std::uint64_t now();
/// A stream waits for the work of another up to a moment; the host waits for it; the host waits for everything.
void stream_waits(cudaStream_t stream, cudaStream_t other, std::uint64_t moment);
void host_waits(cudaStream_t stream, std::uint64_t moment);
void host_waits_for_all();

/// A fault of host code at `p`: true, and the access may be tried again, when memory was closed for this reason.
bool reopen(std::uintptr_t p, bool writes, const void* pc);

/// While one lives, work counts as that of another stream: that of a graph.
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

/// Opens all memory while the device works, and closes it again.
void open();
void close();

}  // namespace lab::sim::in_flight
