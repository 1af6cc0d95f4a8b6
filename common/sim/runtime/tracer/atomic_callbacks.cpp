#include <cstdint>

#include "sim/runtime/streams/memory_in_flight.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// C++ atomics (std::atomic, __atomic builtins), which -fsanitize=thread turns into calls.

using namespace lab::sim;

namespace {

// While one exists, the access may fault, if it is the host's: its memory may be in flight.
class traced_atomic {
 public:
  template <class T>
  traced_atomic(const volatile T* address, bool reads, int order, const void* pc) {
    if (tracing && order >= __ATOMIC_RELEASE) tracing->fenced();
    if (tracing) tracing->atomic(reinterpret_cast<std::uintptr_t>(address), sizeof(T), reads, true, pc);
    in_flight::atomic_of_host = tracing ? nullptr : pc;
  }
  template <class T>
  traced_atomic(const volatile T* address, T expected, int order, const void* pc)
      : traced_atomic{address, true, order, pc} {
    if (tracing) tracing->compared(reinterpret_cast<std::uintptr_t>(address), sizeof(T), expected);
  }
  traced_atomic(const traced_atomic&) = delete;
  traced_atomic& operator=(const traced_atomic&) = delete;
  ~traced_atomic() { in_flight::atomic_of_host = nullptr; }
};

}  // namespace

#define LAB_HERE __builtin_return_address(0)
#define LAB_FETCH(bits, T, name)                                                  \
  T __tsan_atomic##bits##_fetch_##name(volatile T* address, T value, int order) { \
    const traced_atomic now{address, true, order, LAB_HERE};                      \
    return __atomic_fetch_##name(address, value, __ATOMIC_SEQ_CST);               \
  }
#define LAB_EXCHANGE(bits, T, strength)                                                                              \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile T* address, T* expected, T value, int order, int) { \
    const traced_atomic now{address, *expected, order, LAB_HERE};                                                    \
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);         \
  }
#define LAB_ATOMICS(bits, T)                                                  \
  T __tsan_atomic##bits##_load(const volatile T* address, int) {              \
    const traced_atomic now{address, true, __ATOMIC_RELAXED, LAB_HERE};       \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                        \
  }                                                                           \
  void __tsan_atomic##bits##_store(volatile T* address, T value, int order) { \
    const traced_atomic now{address, false, order, LAB_HERE};                 \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                       \
  }                                                                           \
  T __tsan_atomic##bits##_exchange(volatile T* address, T value, int order) { \
    const traced_atomic now{address, false, order, LAB_HERE};                 \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);             \
  }                                                                           \
  LAB_FETCH(bits, T, add)                                                     \
  LAB_FETCH(bits, T, sub)                                                     \
  LAB_FETCH(bits, T, and)                                                     \
  LAB_FETCH(bits, T, or)                                                      \
  LAB_FETCH(bits, T, xor)                                                     \
  LAB_FETCH(bits, T, nand)                                                    \
  LAB_EXCHANGE(bits, T, strong)                                               \
  LAB_EXCHANGE(bits, T, weak)

extern "C" {
LAB_ATOMICS(8, std::uint8_t)
LAB_ATOMICS(16, std::uint16_t)
LAB_ATOMICS(32, std::uint32_t)
LAB_ATOMICS(64, std::uint64_t)
}
