#pragma once

// A traced program calls the tracer for each copy and fill of memory. Left alone, the compiler makes some instructions
// of one whose size it knows, and reports no access.

#ifdef LAB_SIM_TRACE

extern "C" {
void* __wrap_memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept;
void* __wrap_memmove(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept;
void* __wrap_memset(void* to, int value, __SIZE_TYPE__ bytes) noexcept;
}

// The size of a scalar or a vector is one access, which the compiler reports.
#define LAB_SIM_ONE_ACCESS(n) (__builtin_constant_p(n) && (n == 1 || n == 2 || n == 4 || n == 8 || n == 16))
// These are in a namespace without types: for arguments of a type of lab_sim, such as __half*, the calls would be
// ambiguous.
#define LAB_SIM_MEMORY_FUNCTION(name, type, second)                                                               \
  namespace lab_sim::memory {                                                                                     \
  inline __attribute__((always_inline, artificial)) constexpr void* name(void* to, type second,                   \
                                                                         __SIZE_TYPE__ n) noexcept {              \
    if (__builtin_is_constant_evaluated() || LAB_SIM_ONE_ACCESS(n)) return __builtin_##name(to, second, n);       \
    return __wrap_##name(to, second, n);                                                                          \
  }                                                                                                               \
  }                                                                                                               \
  extern "C" inline __attribute__((gnu_inline, always_inline, artificial)) void* name(void* to, type second,      \
                                                                                      __SIZE_TYPE__ n) noexcept { \
    return ::lab_sim::memory::name(to, second, n);                                                                \
  }
LAB_SIM_MEMORY_FUNCTION(memcpy, const void*, from)
LAB_SIM_MEMORY_FUNCTION(memmove, const void*, from)
LAB_SIM_MEMORY_FUNCTION(memset, int, value)
#undef LAB_SIM_MEMORY_FUNCTION

// Functions of the C library of which the compiler makes one of those.
#define LAB_SIM_GIVEN extern "C" inline __attribute__((gnu_inline, always_inline, artificial))
LAB_SIM_GIVEN void* mempcpy(void* to, const void* from, __SIZE_TYPE__ n) noexcept {
  return static_cast<char*>(::lab_sim::memory::memcpy(to, from, n)) + n;
}
LAB_SIM_GIVEN void bcopy(const void* from, void* to, __SIZE_TYPE__ n) noexcept {
  ::lab_sim::memory::memmove(to, from, n);
}
LAB_SIM_GIVEN void bzero(void* to, __SIZE_TYPE__ n) noexcept { ::lab_sim::memory::memset(to, 0, n); }
#undef LAB_SIM_GIVEN

// The names by which the standard library calls them.
#define __builtin_memcpy(...) ::lab_sim::memory::memcpy(__VA_ARGS__)
#define __builtin_memmove(...) ::lab_sim::memory::memmove(__VA_ARGS__)
#define __builtin_memset(...) ::lab_sim::memory::memset(__VA_ARGS__)

#endif
