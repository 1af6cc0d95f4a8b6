#pragma once

#ifndef __x86_64__
#include <boost/context/detail/fcontext.hpp>
#endif

// Jumps from stack to stack. Kernels keep the floating-point modes as they are, so a jump saves none: it takes a third
// of the time of a library's.

namespace lab::sim {

/// Where a stack that does not run goes on.
using context = void*;

#ifdef __x86_64__

/// A context that calls `entry`, which never returns, on an empty stack.
inline context fresh_context(void* stack_top, void (*entry)()) {
  // The stack is aligned as after a call, from a null pointer.
  auto** top = reinterpret_cast<void**>(reinterpret_cast<unsigned long>(stack_top) & ~63ul);
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(entry);
  return top;
}

/// Goes on at `to`. Returns when another stack goes on at `from`.
inline __attribute__((always_inline)) void go_on_at(context to, context& from) {
  void* save = &from;
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // the function may use the 128 bytes below its stack
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq %1, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(save), "+S"(to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
        "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
        "cc", "memory");
}

#else

namespace library = boost::context::detail;

inline void (*entry_of_all)() = nullptr;

inline void first_step(library::transfer_t from) {
  *static_cast<context*>(from.data) = from.fctx;
  entry_of_all();
}

inline context fresh_context(void* stack_top, void (*entry)()) {
  entry_of_all = entry;
  return library::make_fcontext(stack_top, 64 * 1024, &first_step);
}

inline void go_on_at(context to, context& from) {
  const auto back = library::jump_fcontext(to, &from);
  *static_cast<context*>(back.data) = back.fctx;
}

#endif

}  // namespace lab::sim
