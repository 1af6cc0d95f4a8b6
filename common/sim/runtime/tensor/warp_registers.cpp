#include <algorithm>
#include <array>
#include <string>

#include "lab_sim/device.h"
#include "sim/runtime/execution/block_runner.hpp"

// setmaxnreg: a group of warps gives registers back, or takes those that another one gave.

namespace lab::sim {

namespace {

// Registers of each warp.
struct register_file {
  std::uint64_t serial = 0;
  std::array<unsigned, 32> of_warp{};
};

unsigned at_launch(unsigned threads) { return std::min(255u, 65536 / threads) / 8 * 8; }

register_file& registers() {
  auto& block = block_runner::running();
  if (!block.registers()) block.registers() = std::make_shared<register_file>();
  auto& file = *static_cast<register_file*>(block.registers().get());
  if (file.serial != block.serial()) {
    file.serial = block.serial();
    file.of_warp.fill(0);
    for (unsigned w = 0; w < (block.threads() + 31) / 32; ++w) file.of_warp[w] = at_launch(block.threads());
  }
  return file;
}

bool fits(std::size_t warp, unsigned count) {
  auto& block = block_runner::running();
  unsigned used = count;
  for (std::size_t w = 0; w < 32; ++w)
    if (w != warp) used += registers().of_warp[w];
  return used <= at_launch(block.threads()) * ((block.threads() + 31) / 32);
}

}  // namespace

}  // namespace lab::sim

using namespace lab::sim;

void lab_sim::set_registers(unsigned count, bool takes, place at) {
  const void* const pc = __builtin_return_address(0);
  auto& block = block_runner::running();
  block.together([](void* const*) {}, nullptr, at.data, pc);  // all lanes of the warp
  const std::size_t warp = linear_index(threadIdx) / 32;
  const unsigned has = registers().of_warp[warp];
  if (count % 8 != 0 || count < 24 || count > 256 || (takes ? count < has : count > has))
    block.abandon(cudaErrorLaunchFailure, hazard_kind::launch_error,
                  "setmaxnreg asks for " + std::to_string(count) + " registers, and a thread has " +
                      std::to_string(has) + "; the number must be a multiple of 8 from 24 to 256");
  while (!fits(warp, count)) block.park(pc);
  registers().of_warp[warp] = count;
  if (!takes) block.wake_parked();
}
