#pragma once

// What libcu++ needs of threads in place of its own version: its threads are those of kernels, too, which must let each
// other run.

#include <cuda/std/chrono>
#include <cuda/std/detail/__config>

#include "lab_sim/waiting.h"

// How often libcu++ itself reads before it yields.
#define _LIBCUDACXX_POLLING_COUNT 16

_LIBCUDACXX_BEGIN_NAMESPACE_STD

inline void __cccl_thread_yield_processor() {}
inline void __cccl_thread_yield() { ::lab_sim::waits_on(); }

/// Calls `done` until it returns true; with a time limit, at most for so long.
template <class Done>
bool __cccl_thread_poll_with_backoff(Done&& done, chrono::nanoseconds limit = chrono::nanoseconds::zero()) {
  using clock = chrono::high_resolution_clock;
  const bool limited = limit != chrono::nanoseconds::zero();
  const auto start = limited ? clock::now() : clock::time_point{};
  while (!done()) {
    if (limited && clock::now() - start > limit) return false;
    ::lab_sim::waits_on();
  }
  ::lab_sim::has_waited();
  return true;
}

_LIBCUDACXX_END_NAMESPACE_STD
