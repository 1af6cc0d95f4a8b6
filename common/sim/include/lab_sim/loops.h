#pragma once

// How a traced loop tells where it is. The marks are volatile stores: they stay where they are in the loop, but let the
// compiler keep other values in registers as it would without them.

extern "C" {
extern volatile char lab_sim_marks[3];  // entered, iterated, left
}

namespace lab_sim {

struct loop {
  bool first = true;
  loop() { lab_sim_marks[0] = 0; }
  ~loop() { lab_sim_marks[2] = 0; }
  bool once() {
    const bool now = first;
    first = false;
    return now;
  }
};

inline __attribute__((always_inline)) bool iterate() {
  lab_sim_marks[1] = 0;
  return true;
}

#ifndef LAB_SIM_SCHEDULES
#define LAB_SIM_SCHEDULES 1
#endif

/// Every access is seen from now on; the program runs as often with different schedules, if its environment does not
/// say how often.
void enable_tracing(unsigned schedules);
namespace {
const bool tracing_enabled = (enable_tracing(LAB_SIM_SCHEDULES), true);
}

}  // namespace lab_sim
