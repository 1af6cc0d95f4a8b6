#include <cstdint>

#include "sim/runtime/tracer/tracer.hpp"

// Atomics of the language itself (std::atomic, __atomic builtins), which -fsanitize=thread turns into calls.

using namespace lab::sim;

namespace {

template <class T>
void seen(const volatile T* p, bool reads, const void* pc) {
  if (tracing) tracing->atomic(reinterpret_cast<std::uintptr_t>(p), sizeof(T), reads, pc);
}

}  // namespace

#define LAB_HERE __builtin_return_address(0)
#define LAB_FETCH(bits, T, name)                                  \
  T __tsan_atomic##bits##_fetch_##name(volatile T* p, T v, int) { \
    seen(p, true, LAB_HERE);                                      \
    return __atomic_fetch_##name(p, v, __ATOMIC_SEQ_CST);         \
  }
#define LAB_EXCHANGE(bits, T, strength)                                                              \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile T* p, T* expected, T v, int, int) { \
    seen(p, true, LAB_HERE);                                                                         \
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
  }
#define LAB_ATOMICS(bits, T)                                  \
  T __tsan_atomic##bits##_load(const volatile T* p, int) {    \
    seen(p, true, LAB_HERE);                                  \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);              \
  }                                                           \
  void __tsan_atomic##bits##_store(volatile T* p, T v, int) { \
    seen(p, false, LAB_HERE);                                 \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                 \
  }                                                           \
  T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) { \
    seen(p, false, LAB_HERE);                                 \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);       \
  }                                                           \
  LAB_FETCH(bits, T, add)                                     \
  LAB_FETCH(bits, T, sub)                                     \
  LAB_FETCH(bits, T, and)                                     \
  LAB_FETCH(bits, T, or)                                      \
  LAB_FETCH(bits, T, xor)                                     \
  LAB_FETCH(bits, T, nand)                                    \
  LAB_EXCHANGE(bits, T, strong)                               \
  LAB_EXCHANGE(bits, T, weak)

extern "C" {
LAB_ATOMICS(8, std::uint8_t)
LAB_ATOMICS(16, std::uint16_t)
LAB_ATOMICS(32, std::uint32_t)
LAB_ATOMICS(64, std::uint64_t)
}
