#include "sim/runtime/execution/cooperative_blocks.hpp"

#include <algorithm>
#include <cstring>

#include "lab_sim/device.h"
#include "sim/runtime/execution/execution_order.hpp"
#include "sim/runtime/symbols/program_memory.hpp"

namespace lab::sim {

namespace {

// Swaps the shared memory of this OS thread with that of a saved block.
void exchange_memory(std::vector<std::vector<unsigned char>>& other, std::size_t dynamic_bytes) {
  auto ranges = static_shared_memory();
  const auto dynamic = reinterpret_cast<std::uintptr_t>(lab_sim_dynamic);
  ranges.push_back({dynamic, dynamic + dynamic_bytes});
  const bool fresh = other.empty();
  other.resize(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    auto* const here = reinterpret_cast<unsigned char*>(ranges[i].begin);
    const std::size_t bytes = ranges[i].end - ranges[i].begin;
    if (fresh)
      other[i].assign(here, here + bytes);
    else
      std::swap_ranges(other[i].begin(), other[i].end(), here);
  }
}

}  // namespace

void cooperative_blocks::exchange(block& entry) {
  std::swap(block_runner::current(), entry.runner);
  if (all_.size() > 1) exchange_memory(entry.shared, call_.dynamic_bytes);
  trace::exchange_block(entry.traced);
}

void cooperative_blocks::turn(block& entry) {
  exchange(entry);
  blockIdx = entry.index;
  if (entry.started) {
    entry.state = block_runner::current().go_on();
  } else {
    entry.started = true;
    if (call_.traced) {
      block_runner::current().set_thread_order(thread_order(blockDim.x * blockDim.y * blockDim.z, entry.number));
      trace::block_begins(entry.number);
    }
    entry.state = block_runner::current().run(call_, entry.index);
  }
  exchange(entry);
}

bool cooperative_blocks::run() {
  for (auto& b : all_)
    if (b.state == block_state::at_grid_barrier) b.state = block_state::spinning;
  for (bool going = true; going;) {
    going = false;
    for (auto& b : all_) {
      if (b.started && b.state != block_state::spinning) continue;
      turn(b);
      if (b.state == block_state::abandoned) return false;
      going = going || b.state == block_state::spinning;
    }
  }
  return true;
}

std::size_t cooperative_blocks::waiting() const {
  return static_cast<std::size_t>(std::ranges::count(all_, block_state::at_grid_barrier, &block::state));
}

void cooperative_blocks::report_missing() {
  const auto b = std::ranges::find(all_, block_state::at_grid_barrier, &block::state);
  if (b == all_.end()) return;
  exchange(*b);
  blockIdx = b->index;
  block_runner::current().abandon_at_grid_barrier();
  exchange(*b);
}

}  // namespace lab::sim
