#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "lab_sim/device.h"
#include "lab_sim/launch.h"
#include "sim/hazard_kinds.hpp"

// What the runtime tells the tracer, which defines these functions. They do nothing unless a traced program is loaded.

namespace lab::sim {
struct block_trace;
}

namespace lab::sim::trace {

bool enabled();
/// Whether a traced program looks for hazards. A sample only counts.
bool checks();
void enable();
/// Whether the report tells of memory that is never freed.
bool leaks_wanted();

/// While one exists, the tracer listens to this OS thread alone: host threads launch and copy at the same time.
class alone {
 public:
  alone();
  alone(const alone&) = delete;
  alone& operator=(const alone&) = delete;
  ~alone();
};

/// Sets the place in host code that makes the next allocation.
void allocating(const void* pc);
void allocated(std::uintptr_t begin, std::size_t bytes, unsigned serial, bool host_writes);
void freed(std::uintptr_t begin);
/// The program wants to free memory after a fault, when CUDA frees nothing.
void freed_in_vain(const void* pointer);
/// A variable that kernels may access.
void declared(std::uintptr_t begin, std::size_t bytes, bool constant, bool has_values);
/// The current operation in a stream wrote or read memory: a copy or a fill that host code asked for at this place.
void wrote(const void* pointer, std::size_t bytes, const void* pc);
void read(const void* pointer, std::size_t bytes, const void* pc);
/// Bytes that a copy or a fill moved from the device's memory to the host's, or wrote to the device's.
void copied_to_host(std::size_t bytes);
void written_by_copy(std::size_t bytes);

/// Returns whether blocks of this launch run: of a sample none do that run beside an earlier launch, because their time
/// is not modelled.
bool launch_begins(const lab_sim::config& where, const lab_sim::kernel_call& call);
void launch_ends();
void block_begins(std::uint64_t number);
void block_ends();
/// Whether each block of this launch, which is sampled, counted what the first one did.
bool blocks_are_alike();
/// Saves the state of the running block in `other` and restores the state of the block that runs next.
void exchange_block(std::shared_ptr<block_trace>& other);
/// All blocks of a cooperative launch have reached the grid barrier.
void grid_synchronized();
void thread_starts(unsigned linear);
void thread_continues(unsigned linear);
/// All threads of the block have reached a barrier, which orders their accesses.
void block_synchronized(bool counts);
void warp_synchronized(unsigned warp);
void fenced();
/// The kernel has reached this instruction. A report names it if the kernel stops here.
void at(const void* pc);
/// The same for an instruction that waits for a copy engine or a tensor core.
void at_wait(const void* pc);
/// The same for an instruction that asks for memory of another block of its cluster.
void at_cluster(const void* pc);
/// The same for a barrier of the block or the grid.
void at_barrier(const void* pc);

/// A thread of the running block accesses 1 to 16 bytes, as its part of what another thread performs for its warp.
void accessed(unsigned thread, const void* memory, unsigned bytes, bool writes, const void* pc);
/// The running thread accesses 1 to 16 bytes by a function of the runtime.
void touched(const void* memory, unsigned bytes, bool writes, const void* pc);

/// The running thread begins an asynchronous copy, whose last `zeros` bytes become zeros, or the copy arrives.
void copy_begins(const void* to, const void* from, unsigned bytes, unsigned zeros, const void* pc);
void copy_arrives(const void* to, unsigned bytes, const void* pc);

/// A box begins its way to shared memory, or arrives; it reads these bytes of global memory.
void box_begins(const void* to, unsigned bytes, const void* pc);
void box_arrives(const void* to, unsigned bytes);
void box_reads(const void* from, unsigned bytes, const void* pc);
/// Products read 16 bytes of shared memory from now on, until they are done.
void product_reads(const void* memory, const void* pc);
void product_is_done_with(const void* memory);
/// The running warp multiplies matrices on a tensor core, alone or with its group.
void multiplied();
/// A thread has executed fence.proxy.async.
void proxies_fenced();
/// A phase of a barrier is over, or a thread knows that one is. That orders what threads did before it and what others
/// do that wait for it.
void phase_ended();
/// A race for which no access stands: a fence is missing.
/// The present interval between two barriers of the block; 0 without a tracer.
std::uint64_t interval();
void not_ordered(const char* what, const void* pc, const void* other_pc);
/// A thread uses shared memory of another block, which has ended or not begun: `how` says so.
void misuses_block(const std::string& how, const void* pc);

/// Returns whether two threads of one block wait at different barriers.
bool diverged(const void* pc, const void* other_pc, const uint3& thread);
/// A thread of the block has exited without reaching the barrier at which the others wait. Null: it executed no return
/// statement.
void passed_by(const void* barrier, const void* returned_at, const uint3& thread);
/// The kernel stopped with an error at the access that the tracer saw last.
void stopped(hazard_kind kind, const std::string& what);

/// CUDA refuses a launch, or another call about "copies", "streams" or "allocations".
void refused(const char* kernel, const char* about, const std::string& why, const void* pc);
/// The host resets the device, which frees all memory.
void resetting();
/// Whether a launch after a fault runs all the same, so that its own fault is found: if no work that the program wanted
/// is missing, and the host sees no memory that the launch may change.
bool finds_more_faults();
/// Host code is about to crash on a device pointer. Writes the report first.
void host_used_device_memory(const void* pc, const std::string& what);

/// Whether the last kernel, if `by` names it, accessed this address (wrote it, if the host only reads). True if `by` is
/// no kernel.
bool used_by_device(std::uintptr_t address, const std::string& by, bool host_writes);
/// Whether the last kernel accessed this address only by atomics whose scope is the system.
bool atomic_for_host_and_device(std::uintptr_t address);
/// Host code accesses memory without waiting for the device.
void not_synchronized(const void* pc, const std::string& what);
/// Host code accesses a __device__ or __constant__ variable.
void host_used_variable(std::uintptr_t address, const void* pc);

std::string report_json();
/// Writes LAB_SIM_JSON, or prints the hazards on standard error. Does so once.
void report_at_end();
/// Makes a program that aborts write its report first.
void report_at_abort();
void forget();

}  // namespace lab::sim::trace
