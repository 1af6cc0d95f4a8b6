#pragma once

// Rows of threads whose code has no loop of its own: docs/design/thread-loops.md. Most CPUs have vectors of 32 bytes,
// but a program must run on all of them. So the rows run in a function for wide vectors where the CPU has them.

#include "lab_sim/thread_loops.h"

namespace lab_sim {

/// Runs rows until one whose threads do not all pass `passes`; that row stays for the caller. The arguments are copies,
/// so that the compiler knows that no store of a thread changes them.
template <class Condition, class Body>
LAB_SIM_INLINE void run_whole_rows(thread_rows& all, const uint3 block, const dim3 size, const Condition passes,
                                   const Body body) {
  thread_rows rows = all;
  at_most(block.x * size.x, most_threads_of_grid);
  for (; rows.more(); rows.next()) {
    const unsigned first = at_most(rows.first, 1024), end = at_most(rows.last, 1024);
    unsigned fails = 0;  // no bool, so that the loop has one width
    for (unsigned x = first; x < end; ++x) fails |= passes(rows, block, size, x) ? 0U : 1U;
    if (fails != 0) break;
    for (unsigned x = first; x < end; ++x) body(rows, block, size, x, true);
  }
  all = rows;
}

#if defined(__x86_64__) && !defined(__AVX2__)
#define LAB_SIM_WIDE __attribute__((target("avx2")))
inline bool has_wide_vectors() { return __builtin_cpu_supports("avx2"); }
#else
#define LAB_SIM_WIDE
constexpr bool has_wide_vectors() { return true; }
#endif

template <class Condition, class Body>
LAB_SIM_WIDE __attribute__((noinline, noclone, flatten)) void run_wide_rows(thread_rows& all, const uint3& block,
                                                                            const dim3& size, const Condition& passes,
                                                                            const Body& body) {
  run_whole_rows(all, block, size, passes, body);
}

/// Runs the threads of a block. `passes`: whether a thread passes the conditions around its code. Most often all
/// threads of a row do. `body` then leaves the conditions out, and the compiler can use vector instructions.
template <class Condition, class Body>
LAB_SIM_INLINE void run_rows(thread_rows rows, const uint3& block, const dim3& size, const Condition& passes,
                             const Body& body) {
  const bool wide = rows.last - rows.first >= 8 && has_wide_vectors();
  for (; rows.more(); rows.next()) {
    if (wide) run_wide_rows(rows, block, size, passes, body);
    if (!rows.more()) break;
    const unsigned first = at_most(rows.first, 1024), end = at_most(rows.last, 1024);
    for (unsigned x = first; x < end; ++x) body(rows, block, size, x, false);
  }
}

}  // namespace lab_sim

#define LAB_SIM_ROW_OF_THREADS                                                                             \
  LAB_SIM_MAYBE_UNUSED const ::lab_sim::thread_rows &lab_rows, LAB_SIM_MAYBE_UNUSED const uint3 &blockIdx, \
      LAB_SIM_MAYBE_UNUSED const dim3 &blockDim, LAB_SIM_MAYBE_UNUSED unsigned lab_x
#define LAB_SIM_PASSES(...) [= __VA_ARGS__](LAB_SIM_ROW_OF_THREADS) __attribute__((always_inline))
#define LAB_SIM_BODY(...) \
  [= __VA_ARGS__](LAB_SIM_ROW_OF_THREADS, LAB_SIM_MAYBE_UNUSED bool lab_whole) __attribute__((always_inline))
#define LAB_SIM_RUN_ROWS \
  ::lab_sim::run_rows(::lab_sim::thread_rows{blockDim, lab_one_by_one}, blockIdx, blockDim, lab_passes, lab_body)
