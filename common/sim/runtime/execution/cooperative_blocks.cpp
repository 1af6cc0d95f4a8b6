#include "sim/runtime/execution/cooperative_blocks.hpp"

#include <algorithm>

#include "lab_sim/device.h"

namespace lab::sim {

bool cooperative_blocks::run() {
  for (auto& b : all_)
    if (b.state == block_state::at_grid_barrier) b.state = block_state::spinning;
  for (bool going = true; going;) {
    going = false;
    for (auto& b : all_) {
      if (b.started && b.state != block_state::spinning) continue;
      b.turn(call_, alone());
      if (b.state == block_state::abandoned) return false;
      going = going || b.state == block_state::spinning;
    }
  }
  return true;
}

std::size_t cooperative_blocks::waiting() const {
  return static_cast<std::size_t>(std::ranges::count(all_, block_state::at_grid_barrier, &block_turns::state));
}

void cooperative_blocks::report_missing() {
  const auto b = std::ranges::find(all_, block_state::at_grid_barrier, &block_turns::state);
  if (b == all_.end()) return;
  b->exchange(alone());
  blockIdx = b->index;
  block_runner::current().abandon_at_grid_barrier();
  b->exchange(alone());
}

}  // namespace lab::sim
