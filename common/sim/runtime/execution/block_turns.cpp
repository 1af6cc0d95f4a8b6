#include "sim/runtime/execution/block_turns.hpp"

#include <algorithm>

#include "lab_sim/device.h"
#include "sim/runtime/execution/cluster.hpp"
#include "sim/runtime/execution/execution_order.hpp"
#include "sim/runtime/symbols/program_memory.hpp"

namespace lab::sim {

namespace {

constexpr std::uintptr_t most_aligned = 1024;  // as much as any operand in shared memory needs

}  // namespace

void saved_memory::prepare(std::size_t dynamic_bytes) {
  if (!pieces_.empty()) return;
  auto ranges = static_shared_memory();
  const auto dynamic = reinterpret_cast<std::uintptr_t>(lab_sim_dynamic);
  ranges.push_back({dynamic, dynamic + dynamic_bytes});
  for (const auto& [begin, end, module] : ranges) {
    std::unique_ptr<unsigned char[]> storage{new unsigned char[end - begin + most_aligned]};
    auto* const saved = storage.get() + (begin - reinterpret_cast<std::uintptr_t>(storage.get())) % most_aligned;
    auto* const place = reinterpret_cast<unsigned char*>(begin);
    std::copy_n(place, end - begin, saved);
    pieces_.push_back({place, end - begin, std::move(storage), saved});
  }
}

void saved_memory::exchange() {
  for (auto& one : pieces_) std::swap_ranges(one.saved, one.saved + one.bytes, one.place);
}

void* saved_memory::counterpart(const void* at, unsigned char* piece::*from, unsigned char* piece::*to) const {
  for (const auto& one : pieces_) {
    const auto offset = reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(one.*from);
    if (offset < one.bytes) return one.*to + offset;
  }
  return nullptr;
}

void block_turns::exchange(bool alone) {
  std::swap(block_runner::current(), runner);
  if (!alone) shared.exchange();
  trace::exchange_block(traced);
}

void block_turns::turn(const lab_sim::kernel_call& call, bool alone) {
  if (!alone) shared.prepare(call.dynamic_bytes);
  exchange(alone);
  blockIdx = index;
  if (started) {
    state = block_runner::current().go_on();
  } else {
    started = true;
    if (call.traced) {
      block_runner::current().set_thread_order(thread_order(blockDim.x * blockDim.y * blockDim.z, number));
      trace::block_begins(number);
    }
    state = block_runner::current().run(call, index);
  }
  if (call.traced && state == block_state::ended) {
    if (const cluster* const peers = block_runner::current().peers()) peers->report_unseen_arrivals();
    trace::block_ends();
  }
  exchange(alone);
}

}  // namespace lab::sim
