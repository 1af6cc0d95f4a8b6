#include "sim/runtime/execution/execution_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace lab::sim {

namespace {

std::uint64_t seed() {
  static const char* const chosen = std::getenv("LAB_SIM_SEED");
  return chosen ? std::strtoull(chosen, nullptr, 10) : 0;
}

// A Fisher-Yates shuffle whose random numbers are the same on every machine.
template <class T>
void shuffle(std::vector<T>& all, std::uint64_t state) {
  for (std::size_t i = all.size(); i > 1; --i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    std::swap(all[i - 1], all[(state >> 33) % i]);
  }
}

// Multiples of the golden ratio: evenly spread, and never aligned with the rows of a grid.
std::vector<std::uint64_t> spread(std::uint64_t blocks, double fraction) {
  constexpr double least = 6, golden = 0.6180339887498949;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(std::max(least, fraction * static_cast<double>(blocks))));
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const double at = (static_cast<double>(i) + 0.5) * golden;
    chosen.push_back(static_cast<std::uint64_t>((at - std::floor(at)) * static_cast<double>(blocks)));
  }
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

}  // namespace

double sampled_fraction() {
  static const char* const chosen = std::getenv("LAB_SIM_SAMPLE");
  return chosen ? std::strtod(chosen, nullptr) : 0;
}

// A list of all blocks would take too much memory for the largest grids. Their order only begins elsewhere.
block_order::block_order(std::uint64_t blocks) : blocks_{blocks} {
  constexpr std::uint64_t most_listed = 1 << 22;
  if (const double fraction = sampled_fraction(); fraction > 0 && fraction < 1 && blocks > 6) {
    shuffled_ = spread(blocks, fraction);
    return;
  }
  if (seed() == 0 || blocks == 0) return;
  if (blocks > most_listed) {
    first_ = seed() * 6364136223846793005 % blocks;
    return;
  }
  shuffled_.resize(blocks);
  std::iota(shuffled_.begin(), shuffled_.end(), std::uint64_t{0});
  shuffle(shuffled_, seed());
}

std::vector<unsigned> thread_order(unsigned threads, std::uint64_t block) {
  std::vector<unsigned> warps((threads + 31) / 32), order;
  std::iota(warps.begin(), warps.end(), 0u);
  if (seed() != 0) shuffle(warps, seed() * 31 + block);
  for (const unsigned w : warps)
    for (unsigned t = w * 32; t < threads && t < w * 32 + 32; ++t) order.push_back(t);
  return order;
}

}  // namespace lab::sim
