#pragma once

// The marks of a traced loop. They are volatile stores, which stay in their place in the loop and let the compiler keep
// other values in registers.

extern "C" {
extern volatile char lab_sim_marks[3];  // entered, iterated, left
}

namespace lab_sim {

// A loop that the compiler runs, in a constant expression, leaves no mark.
struct loop {
  bool first = true;
  constexpr loop() {
    if (!__builtin_is_constant_evaluated()) lab_sim_marks[0] = 0;
  }
#if __cplusplus >= 202002L
  constexpr ~loop() {
    if (!__builtin_is_constant_evaluated()) lab_sim_marks[2] = 0;
  }
#endif
  constexpr bool once() {
    const bool now = first;
    first = false;
    return now;
  }
};

// Before C++20, a constant expression has no variables with destructors.
#if __cplusplus >= 202002L
#define LAB_SIM_LOOP ::lab_sim::loop
#else
constexpr void left(loop*) {
  if (!__builtin_is_constant_evaluated()) lab_sim_marks[2] = 0;
}
#define LAB_SIM_LOOP __attribute__((cleanup(lab_sim_left_loop))) ::lab_sim::loop
#endif

constexpr __attribute__((always_inline)) bool iterate() {
  if (!__builtin_is_constant_evaluated()) lab_sim_marks[1] = 0;
  return true;
}

#ifndef LAB_SIM_SCHEDULES
#define LAB_SIM_SCHEDULES 1
#endif

/// Traces every access from now on. The program tries this number of schedules unless its environment sets another.
void enable_tracing(unsigned schedules);
namespace {
const bool tracing_enabled = (enable_tracing(LAB_SIM_SCHEDULES), true);
}

}  // namespace lab_sim

#if __cplusplus < 202002L
constexpr void lab_sim_left_loop(lab_sim::loop* which) { lab_sim::left(which); }
#endif
