#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cuda_runtime_api.h"
#include "sim/runtime/streams/stream_order.hpp"

// In a traced program, memory that host and device share stays closed to the host while work that uses it is in flight,
// although the simulator has already done that work. The fault of an early access reveals a missing synchronization.

namespace lab::sim::in_flight {

/// The current operation reads or writes these bytes. They are in flight until the host waits for it.
void add(std::uintptr_t begin, std::size_t bytes, bool writes, const std::string& by);

/// The host waits for a stream, for what an event stands for, or for all work.
void host_waits(cudaStream_t stream);
void host_waits(const order::clock& until);
void host_waits_for_all();

/// A fault of host code: `pc` is the instruction.
struct host_access {
  std::uintptr_t address;
  bool writes, atomic;
  const void* pc;
};

/// Handles a fault of host code. Returns true if the memory was in flight; it is then open, and the access can be
/// retried.
bool reopen(host_access by_host);

/// The place in host code of an atomic access that the runtime does for it; null between such accesses.
extern thread_local const void* atomic_of_host;

/// Opens all memory while the device works, and closes it afterwards.
void open();
void close();

}  // namespace lab::sim::in_flight
