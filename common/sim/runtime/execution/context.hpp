#pragma once

#ifndef __x86_64__
#include <boost/context/detail/fcontext.hpp>
#endif

// Jumps from stack to stack. Kernels keep the floating-point modes as they are, so a jump saves none. A stack that
// waited goes on by a return instruction, whose target the processor predicts: all threads of a block wait at the same
// place.

namespace lab::sim {

/// Where a stack that does not run goes on.
using context = void*;

#ifdef __x86_64__

extern "C" {
int lab_sim_go_on(context* from, context to, int result) __attribute__((visibility("hidden")));
int lab_sim_begin(context* from, void* stack_top, void (*entry)()) __attribute__((visibility("hidden")));
}

/// Goes on at `to`, where the call returns `result`. Returns when another stack goes on at `from`.
inline int go_on_at(context to, context& from, int result) { return lab_sim_go_on(&from, to, result); }

/// Calls `entry`, which never returns, on an empty stack. Returns when another stack goes on at `from`.
inline int begin_at(void* stack_top, void (*entry)(), context& from) { return lab_sim_begin(&from, stack_top, entry); }

#else

namespace library = boost::context::detail;

inline void (*entry_of_all)() = nullptr;
inline thread_local int result_of_all = 0;

inline void first_step(library::transfer_t from) {
  *static_cast<context*>(from.data) = from.fctx;
  entry_of_all();
}

inline int go_on_at(context to, context& from, int result) {
  result_of_all = result;
  const auto back = library::jump_fcontext(to, &from);
  *static_cast<context*>(back.data) = back.fctx;
  return result_of_all;
}

inline int begin_at(void* stack_top, void (*entry)(), context& from) {
  entry_of_all = entry;
  return go_on_at(library::make_fcontext(stack_top, 64 * 1024, &first_step), from, 0);
}

#endif

}  // namespace lab::sim
