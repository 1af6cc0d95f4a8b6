#pragma once

#ifdef LAB_SIM_TRACE
#if __cplusplus >= 202002L
#include <source_location>
#else
namespace std {
struct source_location {
  struct __impl {  // the compiler fills this type
    const char* _M_file_name;
    const char* _M_function_name;
    unsigned _M_line, _M_column;
  };
};
}  // namespace std
#endif
#endif

// Places in the source of a traced kernel. The compiler may merge two barriers, or two returns, into one instruction,
// so an instruction's address does not tell them apart. Without tracing, a place is unknown.

#define LAB_SIM_INLINE inline __attribute__((always_inline))

namespace lab_sim {

// A parameter of this type does not take part in the deduction of T.
template <class T>
struct same_as {
  using type = T;
};
template <class T>
using same = typename same_as<T>::type;

struct place {
  const void* data = nullptr;  // file, function, line and column, as the compiler's library stores them
#ifdef LAB_SIM_TRACE
  constexpr place(const void* data) : data{data} {}
#endif
  constexpr place() = default;
};

#ifdef LAB_SIM_TRACE
#define LAB_SIM_HERE ::lab_sim::place(__builtin_source_location())
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
