#include "sim/runtime/execution/context.hpp"

#ifdef __x86_64__
// The registers that a function must keep, below the return address.
asm(R"(
.text
.p2align 4
.globl lab_sim_go_on
.hidden lab_sim_go_on
.type lab_sim_go_on, @function
lab_sim_go_on:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  movl %edx, %eax
  ret
.size lab_sim_go_on, .-lab_sim_go_on

.p2align 4
.globl lab_sim_begin
.hidden lab_sim_begin
.type lab_sim_begin, @function
lab_sim_begin:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  andq $-64, %rsp
  xorl %ebp, %ebp
  call *%rdx
  ud2
.size lab_sim_begin, .-lab_sim_begin
)");
#endif
