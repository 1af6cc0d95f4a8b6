#include "sim/runtime/device/device_model.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace lab::sim {

namespace {

const device_description& chosen() {
  const char* const name = std::getenv("LAB_SIM_DEVICE");
  if (!name || !*name) return simulated_gpus[0];
  const auto at = std::ranges::find(simulated_gpus, std::string{name}, &device_description::name);
  if (at != std::end(simulated_gpus)) return *at;
  std::fprintf(stderr, "lab-sim: LAB_SIM_DEVICE=%s is not a known device; there are", name);
  for (const auto& d : simulated_gpus) std::fprintf(stderr, " %s", d.name);
  std::fprintf(stderr, "\n");
  _exit(2);
}

int fitting(std::size_t all, std::size_t each) { return each == 0 ? 1 << 30 : static_cast<int>(all / each); }

}  // namespace

const device_description& device() {
  static const device_description& the = chosen();
  return the;
}

occupancy occupancy_of(const device_description& model, int threads, std::size_t shared_bytes) {
  const std::size_t unit = model.major >= 8 ? 128 : 256;  // of shared memory allocation
  const std::size_t each = (shared_bytes + model.shared_reserved + unit - 1) / unit * unit;
  occupancy o{0, fitting(static_cast<std::size_t>(model.warps), (static_cast<std::size_t>(threads) + 31) / 32),
              model.blocks, fitting(model.shared, each), "warps"};
  o.blocks = o.by_warps;
  if (o.by_blocks < o.blocks) o.blocks = o.by_blocks, o.limiter = "blocks";
  if (o.by_shared < o.blocks) o.blocks = o.by_shared, o.limiter = "shared_memory";
  if (threads > 1024 || shared_bytes > model.shared_per_block) o.blocks = 0;
  return o;
}

}  // namespace lab::sim
