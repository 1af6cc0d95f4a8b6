#include <cstring>

#include "sim/runtime/memory/device_variables.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// What the compiler's -fsanitize=thread makes kernels call, bound to the tracer. Outside traced kernels nothing
// happens.

using namespace lab::sim;

extern "C" {
volatile char lab_sim_marks[3];  // stored to where a loop is entered, iterated and left
}

namespace lab_sim {

void note_atomic(const volatile void* p, unsigned bytes, bool reads) {
  if (tracing) tracing->atomic(reinterpret_cast<std::uintptr_t>(p), bytes, reads, __builtin_return_address(0));
}

}  // namespace lab_sim

namespace {

template <unsigned bytes, operation op>
void seen(void* p, const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  if (tracing) return tracing->access(at, bytes, op, pc);
  if (at - first_variable < all_variables_bytes) trace::host_used_variable(at, pc);
}

}  // namespace

#define LAB_HERE __builtin_return_address(0)
#define LAB_SEEN(name, bytes, operation) \
  void name(void* p) { seen<bytes, operation>(p, LAB_HERE); }
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

void __tsan_volatile_write1(void* p) {
  if (!tracing) return;
  if (p == &lab_sim_marks[1]) return tracing->here().iterate();
  if (p == &lab_sim_marks[0]) return tracing->here().enter_loop();
  if (p == &lab_sim_marks[2]) return tracing->here().leave();
  seen<1, operation::store>(p, LAB_HERE);
}

void __tsan_read_range(void* p, unsigned long bytes) {
  if (tracing) tracing->range(reinterpret_cast<std::uintptr_t>(p), bytes, operation::load, LAB_HERE);
}
void __tsan_write_range(void* p, unsigned long bytes) {
  if (tracing) tracing->range(reinterpret_cast<std::uintptr_t>(p), bytes, operation::store, LAB_HERE);
}
void* __tsan_memcpy(void* to, const void* from, unsigned long bytes) {
  if (tracing) {
    tracing->range(reinterpret_cast<std::uintptr_t>(from), bytes, operation::load, LAB_HERE);
    tracing->range(reinterpret_cast<std::uintptr_t>(to), bytes, operation::store, LAB_HERE);
  }
  return std::memcpy(to, from, bytes);
}
void* __tsan_memset(void* to, int value, unsigned long bytes) {
  if (tracing) tracing->range(reinterpret_cast<std::uintptr_t>(to), bytes, operation::store, LAB_HERE);
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
void __tsan_vptr_update(void**, void*) {}
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}
}
