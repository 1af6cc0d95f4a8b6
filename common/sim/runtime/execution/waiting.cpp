#include "lab_sim/waiting.h"

#include <sched.h>

#include "lab_sim/device.h"
#include "sim/runtime/hooks/trace_hooks.hpp"

namespace lab_sim {

void waits_on() { lab_sim_inside() ? yield() : static_cast<void>(sched_yield()); }

void has_waited() {
  if (lab_sim_inside()) lab::sim::trace::phase_ended();
}

void has_read(const volatile void* object, int order) {
  static __thread const volatile void* last = nullptr;
  static __thread unsigned times = 0;
  constexpr unsigned patience = 64;
  if (object != last) {
    last = object;
    times = 0;
  } else if (++times % patience == 0) {
    waits_on();
  }
  if (order != __ATOMIC_RELAXED) has_waited();
}

}  // namespace lab_sim
