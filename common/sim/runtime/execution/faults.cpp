#include "sim/runtime/execution/faults.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/memory/devices.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"

namespace lab::sim {

namespace {

// Kernels get host addresses with this bit flipped. Nothing is mapped there, so an access faults.
constexpr std::uintptr_t host_bit = std::uintptr_t{1} << 46;
constexpr struct {
  std::uintptr_t begin, end;
} host_views[] = {
    {arena_end, 0x1700'0000'0000},
    {0x3f00'0000'0000, 0x4001'0000'0000},
#ifdef __SANITIZE_ADDRESS__
    {0x2000'0000'0000, 0x2400'0000'0000},  // of AddressSanitizer's heap
#endif
};

bool is_host_view(std::uintptr_t address) {
  return std::ranges::any_of(host_views, [&](const auto& view) { return address >= view.begin && address < view.end; });
}

struct sigaction before[NSIG];

const void* place_of(void* context) {
#ifdef __x86_64__
  return reinterpret_cast<const void*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] + 1);
#else
  static_cast<void>(context);
  return nullptr;
#endif
}

bool is_write(void* context) {
#ifdef __x86_64__
  return (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  static_cast<void>(context);
  return true;
#endif
}

// Whether the instruction is one that changes memory atomically: it has the prefix `lock`, or is an exchange.
bool is_atomic(void* context) {
#ifdef __x86_64__
  const auto* code =
      reinterpret_cast<const unsigned char*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  while (*code == 0x66 || *code == 0xf2 || *code == 0xf3) ++code;
  if (*code == 0xf0) return true;
  if ((*code & 0xf0) == 0x40) ++code;
  return *code == 0x86 || *code == 0x87;
#else
  static_cast<void>(context);
  return false;
#endif
}

void explain_host_fault(const siginfo_t& info, void* context) {
  const auto p = reinterpret_cast<std::uintptr_t>(info.si_addr);
  const place at = describe(p);
  if (!at.known) return;
  char line[512];
  const int n = std::snprintf(line, sizeof line,
                              "lab-sim: host code used the device pointer 0x%zx (%s); the host can access device "
                              "memory only with cudaMemcpy\n",
                              p, at.words.c_str());
  trace::host_used_device_memory(place_of(context),
                                 "host code uses " + at.words + "; it can access device memory only with cudaMemcpy");
  if (write(STDERR_FILENO, line, static_cast<std::size_t>(n)) < 0) return;
}

// Of memory that belongs to another device.
std::string without_access(std::uintptr_t address) {
  const auto at = find(reinterpret_cast<const void*>(address));
  const int own = block_runner::current().call()->device;
  if (!at || at->kind != memory_kind::device || at->of_all_devices || can_access(own, at->device)) return {};
  return ", to which device " + std::to_string(own) + " has no peer access: call cudaDeviceEnablePeerAccess";
}

std::string hex(std::uintptr_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", address);
  return text;
}

// Runs on the alternate stack. The kernel itself faulted, so this thread holds no lock of the runtime.
[[noreturn]] void kernel_fault(int signal, const siginfo_t& info, void* context) {
  auto& block = block_runner::current();
  if (signal == SIGFPE || signal == SIGILL) trace::at(place_of(context));  // not a traced access
  const auto p = reinterpret_cast<std::uintptr_t>(info.si_addr);
  if (signal == SIGFPE) block.abandon(cudaErrorLaunchFailure, hazard_kind::launch_error, "integer division by zero");
  if (signal == SIGILL) block.abandon(cudaErrorLaunchFailure, hazard_kind::launch_error, "an illegal instruction");
  if (info.si_code == SI_KERNEL || signal == SIGBUS)
    block.abandon(cudaErrorMisalignedAddress, hazard_kind::misaligned, "a vector access to a misaligned address");
  if (is_host_view(p))
    block.abandon(cudaErrorIllegalAddress, hazard_kind::host_pointer,  // its address differs from run to run
                  "used a pointer to host memory; give it memory from cudaMalloc");
  const place at = describe(p);
  block.abandon(cudaErrorIllegalAddress, at.freed ? hazard_kind::use_after_free : hazard_kind::out_of_bounds,
                "illegal access to address " + hex(p) + ": " + at.words + without_access(p));
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (info->si_code > 0 && block_runner::current().inside()) kernel_fault(signal, *info, context);
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (signal == SIGSEGV && info->si_code > 0 &&
      in_flight::reopen({address, is_write(context), is_atomic(context), place_of(context)}))
    return;
  if (signal == SIGSEGV) explain_host_fault(*info, context);
  const auto& old = before[signal];
  if (old.sa_flags & SA_SIGINFO) return old.sa_sigaction(signal, info, context);
  if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) return old.sa_handler(signal);
  ::signal(signal, SIG_DFL);  // the retried access ends the process as usual
  if (info->si_code <= 0) raise(signal);
}

void install_handlers() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, &before[signal]);
}

// A signal handler needs its own stack, because a fiber's small stack may have overflowed.
struct alternate_stack {
  static constexpr std::size_t bytes = 1024 * 1024;  // enough to read debug information; untouched pages cost nothing
  std::unique_ptr<char[]> memory{new char[bytes]};
  alternate_stack() {
    stack_t stack{};
    stack.ss_sp = memory.get();
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
  }
  ~alternate_stack() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
};

}  // namespace

void catch_faults() {
  static std::once_flag once;
  std::call_once(once, install_handlers);
  thread_local const alternate_stack stack;
  static_cast<void>(stack);
}

}  // namespace lab::sim

using namespace lab::sim;

namespace lab_sim {

const volatile void* device_view(const volatile void* pointer) {
  const auto p = reinterpret_cast<std::uintptr_t>(pointer);
  // A pointer past the end of an allocation is legal, and a variable of the program may be a __device__ variable.
  if (!pointer || (p >= arena_begin && p < arena_end) || find(pointer)) return pointer;
  Dl_info where;
  if (dladdr(const_cast<const void*>(pointer), &where)) return pointer;
  return is_host_view(p ^ host_bit) ? reinterpret_cast<const volatile void*>(p ^ host_bit) : pointer;
}

}  // namespace lab_sim

void __trap() {
  trace::at(__builtin_return_address(0));
  block_runner::current().abandon(cudaErrorLaunchFailure, hazard_kind::launch_error, "__trap() was called");
}

extern "C" void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
  auto& block = block_runner::current();
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  if (!block.inside()) std::abort();
  trace::at(__builtin_return_address(0));
  block.abandon(cudaErrorAssert, hazard_kind::launch_error,
                std::string{file} + ":" + std::to_string(line) + ": assertion failed: " + expression);
}
