#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lab_sim/types.h"
#include "sim/runtime/execution/context.hpp"
#include "sim/runtime/execution/stack_switch.hpp"

namespace lab::sim {

/// What the 32 lanes of a warp have exchanged, until each of them has gone on.
struct exchange {
  std::uint64_t words[32];
  unsigned readers;
};

/// A stack on which CUDA threads run: one after another until a thread waits, which then owns the fiber.
struct alignas(64) fiber {
  context goes_on = nullptr;
  uint3 index{};                  // threadIdx of the thread that waits here
  unsigned linear = 0;            // its number in the block
  const void* barrier = nullptr;  // the instruction at which it waits
  void* stack_top = nullptr;      // all above lies in one cache line
  stack_bounds stack;
  exchange* shared = nullptr;  // the values of the lanes in its last warp operation, if all lanes took part
  std::uint64_t words[32];     // the same, if not
};

/// Stacks that were mapped together.
struct stack_group {
  char* memory;
  std::size_t number;  // of those mapped before
  bool guarded;        // the lowest page of each is a guard page
};

/// The fibers of one OS thread. Stacks have guard pages until the process runs out of mappings.
class fiber_pool {
 public:
  fiber_pool() = default;
  fiber_pool(fiber_pool&& other) noexcept { swap(other); }
  fiber_pool& operator=(fiber_pool&& other) noexcept {
    swap(other);
    return *this;
  }
  ~fiber_pool();
  fiber* take();
  void give_back(fiber* unused) { free_.push_back(unused); }
  /// Frees every fiber, after a block was abandoned.
  void take_all_back();

 private:
  void grow();
  void swap(fiber_pool& other) noexcept;
  std::vector<std::unique_ptr<fiber>> all_;
  std::vector<fiber*> free_;
  std::vector<stack_group> groups_;
};

}  // namespace lab::sim
