#pragma once

// Atomics are real, because the blocks of a grid run on several OS threads. Each one is reported to the runtime.

// Inlined, so that the instruction of an access is in the kernel.

namespace lab_sim {

/// Reports an atomic access, whether its result depends on the old value and whether it is one for host and device.
/// Only traced programs call it.
void note_atomic(const volatile void* p, unsigned bytes, bool reads, bool of_system);
/// Reports that the atomic access before it compares the old value.
void note_compare(const volatile void* p, unsigned bytes, uint64_t expected);

template <class T>
LAB_SIM_INLINE void note(const volatile T* p, bool reads, bool of_system) {
#ifdef LAB_SIM_TRACE
  note_atomic(p, sizeof(T), reads, of_system);
#else
  static_cast<void>(p), static_cast<void>(reads), static_cast<void>(of_system);
#endif
}

template <class T>
LAB_SIM_INLINE void note_compare(const volatile T* p, T expected) {
#ifdef LAB_SIM_TRACE
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &expected, sizeof(T));
  note_compare(p, sizeof(T), bits);
#else
  static_cast<void>(p), static_cast<void>(expected);
#endif
}

#ifdef LAB_SIM_TRACE
#define LAB_SIM_UNSEEN __attribute__((no_sanitize("thread")))
#else
#define LAB_SIM_UNSEEN
#endif

/// Replaces *p by next(*p) atomically and returns the old value; for types of 2, 4 or 8 bytes.
template <class T, class Next>
LAB_SIM_UNSEEN inline T update(T* p, Next next) {
  T before, after;
  __atomic_load(p, &before, __ATOMIC_RELAXED);
  do after = next(before);
  while (!__atomic_compare_exchange(p, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return before;
}

inline float add(float* p, float b) {
  return update(p, [=](float a) { return a + b; });
}

template <class T>
LAB_SIM_UNSEEN inline T compare_and_swap(T* p, T expected, T value) {
  if (!__atomic_compare_exchange(p, &expected, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) yield();
  return expected;
}

}  // namespace lab_sim

#define LAB_SIM_ATOMIC_SCOPE(name, reads, of_system, expression)     \
  template <class T>                                                 \
  LAB_SIM_INLINE T name(T* p, lab_sim::same<T> b) {                  \
    lab_sim::note(p, reads, of_system);                              \
    return lab_sim::update(p, [=](T a) -> T { return expression; }); \
  }
#define LAB_SIM_ATOMIC(name, reads, expression)                \
  LAB_SIM_ATOMIC_SCOPE(name, reads, false, expression)         \
  LAB_SIM_ATOMIC_SCOPE(name##_block, reads, false, expression) \
  LAB_SIM_ATOMIC_SCOPE(name##_system, reads, true, expression)
LAB_SIM_ATOMIC(atomicAdd, true, a + b)
LAB_SIM_ATOMIC(atomicSub, true, a - b)
LAB_SIM_ATOMIC(atomicMin, true, b < a ? b : a)
LAB_SIM_ATOMIC(atomicMax, true, b > a ? b : a)
LAB_SIM_ATOMIC(atomicAnd, true, a& b)
LAB_SIM_ATOMIC(atomicOr, true, a | b)
LAB_SIM_ATOMIC(atomicXor, true, a ^ b)
LAB_SIM_ATOMIC(atomicExch, false, (static_cast<void>(a), b))
LAB_SIM_ATOMIC(atomicInc, true, a >= b ? 0 : a + 1)
LAB_SIM_ATOMIC(atomicDec, true, a == 0 || a > b ? b : a - 1)
#undef LAB_SIM_ATOMIC
#undef LAB_SIM_ATOMIC_SCOPE

// One access of the device. Each number by itself is atomic.
#define LAB_SIM_VECTOR_ADD(name, of_system)                                                                          \
  LAB_SIM_INLINE float2 name(float2* p, float2 b) {                                                                  \
    lab_sim::note(p, true, of_system);                                                                               \
    return {lab_sim::add(&p->x, b.x), lab_sim::add(&p->y, b.y)};                                                     \
  }                                                                                                                  \
  LAB_SIM_INLINE float4 name(float4* p, float4 b) {                                                                  \
    lab_sim::note(p, true, of_system);                                                                               \
    return {lab_sim::add(&p->x, b.x), lab_sim::add(&p->y, b.y), lab_sim::add(&p->z, b.z), lab_sim::add(&p->w, b.w)}; \
  }
LAB_SIM_VECTOR_ADD(atomicAdd, false)
LAB_SIM_VECTOR_ADD(atomicAdd_block, false)
LAB_SIM_VECTOR_ADD(atomicAdd_system, true)
#undef LAB_SIM_VECTOR_ADD

#define LAB_SIM_CAS(name, of_system)                                              \
  template <class T>                                                              \
  LAB_SIM_INLINE T name(T* p, lab_sim::same<T> compare, lab_sim::same<T> value) { \
    lab_sim::note(p, true, of_system);                                            \
    lab_sim::note_compare(p, compare);                                            \
    return lab_sim::compare_and_swap(p, compare, value);                          \
  }
LAB_SIM_CAS(atomicCAS, false)
LAB_SIM_CAS(atomicCAS_block, false)
LAB_SIM_CAS(atomicCAS_system, true)
#undef LAB_SIM_CAS

void __threadfence();
void __threadfence_block();
void __threadfence_system();
