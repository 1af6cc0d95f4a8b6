#include "sim/runtime/device/device_model.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace lab::sim {

namespace {

constexpr std::size_t kilobyte = 1024;

// Multiprocessors; warps and blocks of one; shared memory of one, of a block, reserved for each block; L2; bus.
constexpr device_description known[] = {
    {"h200", 9, 0, 132, 64, 32, 228 * kilobyte, 227 * kilobyte, kilobyte, 50, 6144},
    {"h100", 9, 0, 132, 64, 32, 228 * kilobyte, 227 * kilobyte, kilobyte, 50, 5120},
    {"b200", 10, 0, 148, 64, 32, 228 * kilobyte, 227 * kilobyte, kilobyte, 126, 8192},
    {"a100", 8, 0, 108, 64, 32, 164 * kilobyte, 163 * kilobyte, kilobyte, 40, 5120},
    {"rtx5090", 12, 0, 170, 48, 24, 100 * kilobyte, 99 * kilobyte, kilobyte, 96, 512},
    {"rtx4090", 8, 9, 128, 48, 24, 100 * kilobyte, 99 * kilobyte, kilobyte, 72, 384},
    {"rtx3090", 8, 6, 82, 48, 16, 100 * kilobyte, 99 * kilobyte, kilobyte, 6, 384},
    {"t4", 7, 5, 40, 32, 16, 64 * kilobyte, 64 * kilobyte, 0, 4, 256},
};

const device_description& chosen() {
  const char* const name = std::getenv("LAB_SIM_DEVICE");
  if (!name || !*name) return known[0];
  const auto at = std::ranges::find(known, std::string{name}, &device_description::name);
  if (at != std::end(known)) return *at;
  std::fprintf(stderr, "lab-sim: LAB_SIM_DEVICE=%s is not a known device; there are", name);
  for (const auto& d : known) std::fprintf(stderr, " %s", d.name);
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
