#include "sim/runtime/api/library_work.hpp"

#include <cstdio>
#include <string>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/streams/device_access.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"
#include "sim/runtime/streams/stream_capture.hpp"

namespace lab::sim {

namespace {

std::size_t extent(const library_memory& m) { return m.rows == 0 ? 0 : (m.rows - 1) * m.pitch + m.bytes; }

// Why a kernel could not access this memory; empty if it could.
std::string fault_at(const library_memory& m) {
  if (extent(m) == 0) return {};
  const auto address = reinterpret_cast<std::uintptr_t>(m.begin);
  const auto at = find(m.begin);
  if (at && at->holds(address, extent(m))) return {};
  const std::string verb = m.writes ? "writes " : "reads ";
  if (at) return verb + std::to_string(extent(m)) + " bytes from " + describe(address).words;
  const auto near = describe(address);
  return verb + (near.known || !m.begin ? near.words : "a pointer to host memory; give it memory from cudaMalloc");
}

cudaError_t fault(const library_call& call, const std::string& why) {
  const std::string what = std::string{call.name} + " " + why;
  fail(cudaErrorIllegalAddress, hazard_kind::out_of_bounds, what);
  trace::refused(call.name, "library", what, call.pc);
  return cudaSuccess;  // as for a kernel, a later call returns the error
}

void report_accesses(const library_call& call, const std::vector<library_memory>& memory) {
  if (!trace::enabled()) return;
  for (const auto& m : memory)
    for (std::size_t row = 0; row < m.rows && m.bytes > 0; ++row) {
      const char* const begin = static_cast<const char*>(m.begin) + row * m.pitch;
      m.writes ? trace::wrote(begin, m.bytes, call.pc) : trace::read(begin, m.bytes, call.pc);
    }
}

}  // namespace

cudaError_t do_library_work(const library_call& by, cudaStream_t stream, const std::vector<library_memory>& memory,
                            const std::function<void()>& work) {
  return call([&] {
    return capture::run_or_keep(stream, [=] {
      order::begin(stream);
      for (const auto& m : memory)
        if (const auto why = fault_at(m); !why.empty()) return fault(by, why);
      const device_access open;
      work();
      report_accesses(by, memory);
      return cudaSuccess;
    });
  });
}

void wait_for_library(cudaStream_t stream) {
  order::host_waits(stream);
  in_flight::host_waits(stream);
}

bool captures(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  return cudaStreamIsCapturing(stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone;
}

void say_unsupported(const library_call& call, const char* what) {
  std::fprintf(stderr, "lab-sim: %s: the simulator does not support %s\n", call.name, what);
}

}  // namespace lab::sim
