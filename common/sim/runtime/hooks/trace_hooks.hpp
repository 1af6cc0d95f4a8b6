#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "lab_sim/device.h"
#include "lab_sim/launch.h"
#include "sim/hazard_kinds.hpp"

// What the rest of the runtime tells the tracer. Nothing happens while no traced program is loaded.

namespace lab::sim {
struct block_trace;
}

namespace lab::sim::trace {

bool enabled();
void enable();

/// The next allocation is made by the caller of this place in host code.
void allocating(const void* pc);
void allocated(std::uintptr_t begin, std::size_t bytes, unsigned serial, bool host_writes);
void freed(std::uintptr_t begin);
/// A variable that kernels may use.
void declared(std::uintptr_t begin, std::size_t bytes, bool constant, bool has_values);
/// The host or an API call filled, or copied to, device memory.
void wrote(const void* p, std::size_t bytes);
void copied(const void* to, const void* from, std::size_t bytes);

void launch_begins(const lab_sim::config& where, const lab_sim::kernel_call& call);
void launch_ends();
void block_begins(std::uint64_t number);
void block_ends();
/// Changes what is known of the running block for what is known of another one, which runs from now on.
void exchange_block(std::shared_ptr<block_trace>& other);
/// All blocks of a cooperative launch have met.
void grid_met();
void thread_starts(unsigned linear);
void thread_goes_on(unsigned linear);
/// All threads of the block have met: what they did before is before what they do next.
void block_met(bool counts);
void warp_met(unsigned warp);
void fenced();
/// The kernel is at this place; what a report names when it is stopped there.
void at(const void* pc);

/// Threads met at barriers of different lines.
void diverged(const void* pc, const void* other_pc, const uint3& thread);
/// A kernel was stopped: the error's own hazard, at the access that the tracer saw last.
void stopped(hazard_kind kind, const std::string& what);

/// A launch that CUDA would not start.
void refused(const char* kernel, const std::string& why, const void* pc);
/// Host code is about to crash on a device pointer; the report is written while there is time.
void host_touched(const void* pc, const std::string& what);

/// Did the last kernel of this name use, or write, what lies there? True for what is not a kernel.
bool used_by_device(std::uintptr_t p, const std::string& by, bool host_writes);
/// Host code did not wait for the device.
void not_synchronized(const void* pc, const std::string& what);
/// Host code uses a variable of the device.
void host_used_variable(std::uintptr_t p, const void* pc);

std::string report_json();
/// Writes LAB_SIM_JSON, or tells the hazards on the standard error; once.
void report_at_end();
void forget();

}  // namespace lab::sim::trace
