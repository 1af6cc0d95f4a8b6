#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "lab_sim/types.h"
#include "stack_switch.hpp"

namespace lab::sim {

/// One stack on which CUDA threads run: many in turn while none waits, exactly one once it does.
struct fiber {
  boost::context::detail::fcontext_t context = nullptr;
  void* stack_top = nullptr;
  stack_bounds stack;
  uint3 index{};                  // threadIdx of the thread that waits here
  unsigned linear = 0;            // its number in the block
  const void* barrier = nullptr;  // the place of the barrier at which it waits
  std::uint64_t words[32];        // what the lanes of its last warp collective brought
};

/// The fibers of one OS thread. Stacks have a guard page below as long as the process can afford it.
class fiber_pool {
 public:
  fiber_pool() = default;
  fiber_pool(fiber_pool&&) = default;
  fiber_pool& operator=(fiber_pool&&) = default;
  ~fiber_pool();
  fiber* take();
  void give_back(fiber* f) { free_.push_back(f); }
  /// After a block was abandoned: every fiber is free again.
  void take_all_back();

 private:
  void grow();
  std::vector<std::unique_ptr<fiber>> all_;
  std::vector<fiber*> free_;
  std::vector<void*> groups_;  // of stacks
  int guards_ = 0;
};

}  // namespace lab::sim
