#include "sim/runtime/execution/part_barriers.hpp"

#include "lab_sim/device.h"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"

namespace lab::sim {

namespace {

part_barrier& barrier_for(std::uint64_t number, unsigned threads) {
  auto& block = block_runner::running();
  auto& one = block.parts().of(number);
  if (one.arrived == 0) one.expected = threads;
  if (threads == 0 || one.expected != threads)
    block.abandon(cudaErrorLaunchFailure, hazard_kind::divergent_barrier,
                  "meets a barrier of " + std::to_string(threads) + " threads, but others wait at it for " +
                      std::to_string(one.expected));
  return one;
}

// Whether the thread is the last one, which ends the phase.
bool arrive(part_barrier& one, unsigned place, std::uint64_t value) {
  auto& values = one.present();
  if (values.size() < one.expected) values.resize(one.expected);
  values[place % one.expected] = value;
  if (++one.arrived < one.expected) return false;
  one.arrived = 0;
  ++one.phase;
  trace::phase_ended();
  block_runner::running().wake_parked();
  return true;
}

void await(const part_barrier& one, std::uint64_t phase, const void* pc) {
  while (one.phase == phase) block_runner::running().park(pc);
}

}  // namespace

}  // namespace lab::sim

namespace lab_sim {

using namespace lab::sim;

void barrier_of_part(unsigned number, unsigned threads, bool waits) {
  const void* const pc = __builtin_return_address(0);
  trace::at(pc);
  auto& one = barrier_for(number, threads);
  const auto phase = one.phase;
  if (!arrive(one, one.arrived, 0) && waits) await(one, phase, pc);
}

const uint64_t* meet_part(unsigned part, unsigned threads, unsigned rank, uint64_t value) {
  const void* const pc = __builtin_return_address(0);
  trace::at(pc);
  constexpr std::uint64_t first = 16;  // PTX has the barriers 0 to 15
  auto& one = barrier_for(first + (std::uint64_t{threads} << 32) + part, threads);
  const auto phase = one.phase;
  const auto& values = one.present();
  if (!arrive(one, rank, value)) await(one, phase, pc);
  return values.data();
}

}  // namespace lab_sim
