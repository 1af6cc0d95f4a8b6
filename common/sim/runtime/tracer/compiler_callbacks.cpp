#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lab_sim/api/library_operation.h"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/memory/device_variables.hpp"
#include "sim/runtime/tracer/library_calls.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// The functions that -fsanitize=thread makes kernels call. Outside traced kernels they only refuse device memory.

using namespace lab::sim;

extern "C" {
volatile char lab_sim_marks[3];  // a store marks where a loop is entered, iterated and left
}

namespace lab_sim {

void note_atomic(const volatile void* pointer, unsigned bytes, bool reads, bool of_system) {
  if (!tracing) return;
  const auto at = reinterpret_cast<std::uintptr_t>(pointer);
  tracing->atomic(at, bytes, reads, of_system, __builtin_return_address(0));
}

void note_compare(const volatile void* pointer, unsigned bytes, uint64_t expected) {
  if (tracing) tracing->compared(reinterpret_cast<std::uintptr_t>(pointer), bytes, expected);
}

}  // namespace lab_sim

namespace lab::sim {

// Its pages are open while a kernel runs, so another thread of the host could use them.
void require_host_memory(std::uintptr_t at, std::size_t bytes, operation op, const void* pc) {
  if (lab_sim::library_depth > 0) return tracer::instance().moved(at, bytes, op, pc);
  if (!is_device_memory(at, bytes)) return;
  const auto why = "host code uses " + describe(at).words + "; it can access device memory only with cudaMemcpy";
  trace::host_used_device_memory(pc, why);
  std::fprintf(stderr, "lab-sim: %s\n", why.c_str());
  std::abort();
}

}  // namespace lab::sim

namespace {

// Functions of their own, so that the callbacks save no registers for them.
template <unsigned bytes, operation op>
LAB_APART void traced(tracer& of, std::uintptr_t at, const void* pc) {
  of.watched_access(at, bytes, op, pc);
}

LAB_APART void used_by_host(std::uintptr_t at, unsigned bytes, operation op, const void* pc) {
  if (at - arena_begin < arena_end - arena_begin) require_host_memory(at, bytes, op, pc);
  if (lab_sim::library_depth > 0) return;
  if (at - first_variable < all_variables_bytes) trace::host_used_variable(at, pc);
}

// Of the running thread, whose stack grows down to the caller of this. Nothing is to be known of such accesses, and
// kernels with arrays in registers have many of them.
LAB_INLINED bool is_local(std::uintptr_t at) {
  constexpr std::size_t near = 128 * 1024;
  return at - reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()) < near;
}

template <unsigned bytes, operation op>
LAB_INLINED void seen(void* pointer, const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(pointer);
  tracer* const of = tracing;
  if (!of) return used_by_host(at, bytes, op, pc);
  if (is_local(at)) return;
  if (of->only_coverage()) return of->cover(at, op, pc);
  traced<bytes, op>(*of, at, pc);
}

LAB_APART void enters_loop_or_stores(void* pointer, const void* pc) {
  if (pointer == &lab_sim_marks[0]) return tracing->here().enter_loop();
  seen<1, operation::store>(pointer, pc);
}

void seen_range(const void* pointer, unsigned long bytes, operation op, const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(pointer);
  tracing ? tracing->range(at, bytes, op, pc) : require_host_memory(at, bytes, op, pc);
}

}  // namespace

#define LAB_HERE __builtin_return_address(0)
#define LAB_SEEN(name, bytes, operation) \
  void name(void* pointer) { seen<bytes, operation>(pointer, LAB_HERE); }
#define LAB_SIZE(bytes)                                                   \
  LAB_SEEN(__tsan_read##bytes, bytes, operation::load)                    \
  LAB_SEEN(__tsan_write##bytes, bytes, operation::store)                  \
  LAB_SEEN(__tsan_unaligned_read##bytes, bytes, operation::load)          \
  LAB_SEEN(__tsan_unaligned_write##bytes, bytes, operation::store)        \
  LAB_SEEN(__tsan_volatile_read##bytes, bytes, operation::load)           \
  LAB_SEEN(__tsan_unaligned_volatile_read##bytes, bytes, operation::load) \
  LAB_SEEN(__tsan_unaligned_volatile_write##bytes, bytes, operation::store)

extern "C" {

LAB_SIZE(1)
LAB_SIZE(2)
LAB_SIZE(4)
LAB_SIZE(8)
LAB_SIZE(16)
LAB_SEEN(__tsan_volatile_write2, 2, operation::store)
LAB_SEEN(__tsan_volatile_write4, 4, operation::store)
LAB_SEEN(__tsan_volatile_write8, 8, operation::store)
LAB_SEEN(__tsan_volatile_write16, 16, operation::store)

void __tsan_volatile_write1(void* pointer) {
  if (!tracing) return;
  if (pointer == &lab_sim_marks[1]) return tracing->iterate(LAB_HERE);
  if (pointer == &lab_sim_marks[2]) return tracing->here().leave();
  enters_loop_or_stores(pointer, LAB_HERE);
}

void __tsan_read_range(void* pointer, unsigned long bytes) { seen_range(pointer, bytes, operation::load, LAB_HERE); }
void __tsan_write_range(void* pointer, unsigned long bytes) { seen_range(pointer, bytes, operation::store, LAB_HERE); }
// A traced program is linked with these instead of the C library's functions, which report no access.
void* __wrap_memcpy(void* to, const void* from, unsigned long bytes) {
  seen_range(from, bytes, operation::load, LAB_HERE);
  seen_range(to, bytes, operation::store, LAB_HERE);
  return std::memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, unsigned long bytes) {
  seen_range(from, bytes, operation::load, LAB_HERE);
  seen_range(to, bytes, operation::store, LAB_HERE);
  return std::memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, unsigned long bytes) {
  seen_range(to, bytes, operation::store, LAB_HERE);
  return std::memset(to, value, bytes);
}

void __tsan_func_entry(void* pc) {
  if (tracing) tracing->here().call(pc);
}
void __tsan_func_exit() {
  if (tracing) tracing->here().leave();
}
void __tsan_init() {}
void __tsan_vptr_read(void**) {}
void __tsan_vptr_update(void** pointer, void*) { seen<sizeof(void*), operation::store>(pointer, LAB_HERE); }
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}
}
