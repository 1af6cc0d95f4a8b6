#pragma once

#if defined(LAB_SIM_TRACE) && __cplusplus >= 202002L
#include <source_location>
#endif

// Places in the source of a traced kernel. The compiler may merge two barriers, or two returns, into one instruction,
// so an instruction's address does not tell them apart. Needs C++20; without it, or without tracing, a place is
// unknown.

#define LAB_SIM_INLINE inline __attribute__((always_inline))

namespace lab_sim {

struct place {
  const void* data = nullptr;  // file, function, line and column, as the compiler's library stores them
#if defined(LAB_SIM_TRACE) && __cplusplus >= 202002L
  constexpr place(const std::source_location& at) : data{__builtin_bit_cast(const void*, at)} {}
#endif
  constexpr place() = default;
};

#if defined(LAB_SIM_TRACE) && __cplusplus >= 202002L
#define LAB_SIM_HERE ::std::source_location::current()
#else
#define LAB_SIM_HERE ::lab_sim::place()
#endif

/// Waits for all threads of the block that have not exited. Returns how many of them have a true predicate.
int block_barrier(int predicate, place at);

/// A traced thread executes a return statement of device code.
void note_return(place at);
constexpr void leaves(place at = LAB_SIM_HERE) {
  if (!__builtin_is_constant_evaluated()) note_return(at);
}

}  // namespace lab_sim
