#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace lab::sim {

#ifdef __SANITIZE_ADDRESS__
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// What AddressSanitizer must know of a stack before the program switches to it. Without it, the functions do nothing.
struct stack_bounds {
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* fake_stack = nullptr;  // AddressSanitizer's own, while the stack waits
};

/// Before a jump to the stack `next`; `from` waits, or is null if it never runs again.
inline void before_switch([[maybe_unused]] stack_bounds* from, [[maybe_unused]] const stack_bounds& next) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(from ? &from->fake_stack : nullptr, next.bottom, next.size);
#endif
}

/// After a jump, on the stack `now`; gives `before` the bounds of the stack that was left, if it is not null.
inline void after_switch([[maybe_unused]] const stack_bounds& now, [[maybe_unused]] stack_bounds* before = nullptr) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(now.fake_stack, before ? &before->bottom : nullptr, before ? &before->size : nullptr);
#endif
}

/// A stack is used again from its top: AddressSanitizer forgets the frames of its last use, which were not unwound.
inline void forget_frames([[maybe_unused]] const stack_bounds& stack) {
#ifdef __SANITIZE_ADDRESS__
  ASAN_UNPOISON_MEMORY_REGION(stack.bottom, stack.size);
#endif
}

}  // namespace lab::sim
