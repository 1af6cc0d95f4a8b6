#include "sim/runtime/execution/execution_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>
#include <sstream>

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

std::uint64_t part_of(std::uint64_t blocks, double fraction, std::uint64_t least) {
  return std::max(least, static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(blocks))));
}

// Multiples of the golden ratio: evenly spread, also the first few of them, and never aligned with the rows of a grid.
std::vector<std::uint64_t> spread(std::uint64_t blocks, std::uint64_t wanted) {
  constexpr double golden = 0.6180339887498949;
  std::vector<std::uint64_t> chosen;
  std::set<std::uint64_t> known;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const double at = (static_cast<double>(i) + 0.5) * golden;
    const auto block = static_cast<std::uint64_t>((at - std::floor(at)) * static_cast<double>(blocks));
    if (known.insert(block).second) chosen.push_back(block);
  }
  return chosen;
}

// The numbers of LAB_SIM_BLOCKS.
std::vector<std::uint64_t> chosen_blocks() {
  std::vector<std::uint64_t> all;
  const char* const chosen = std::getenv("LAB_SIM_BLOCKS");
  std::istringstream text{chosen ? chosen : ""};
  for (std::string one; std::getline(text, one, ',');) all.push_back(std::strtoull(one.c_str(), nullptr, 10));
  return all;
}

}  // namespace

double sampled_fraction() {
  static const char* const chosen = std::getenv("LAB_SIM_SAMPLE");
  return chosen ? std::strtod(chosen, nullptr) : 0;
}

// A list of all blocks would take too much memory for the largest grids. Their order only begins elsewhere.
block_order::block_order(std::uint64_t blocks) : blocks_{blocks} {
  constexpr std::uint64_t most_listed = 1 << 22, least = 6, least_alike = 2;
  if (const double fraction = sampled_fraction(); fraction > 0 && fraction < 1 && blocks > least) {
    shuffled_ = spread(blocks, part_of(blocks, fraction, least));
    enough_ = part_of(blocks, fraction, least_alike);
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

block_order::block_order(std::uint64_t blocks, std::uint64_t launch, std::uint64_t team) : block_order{blocks} {
  static const auto chosen = chosen_blocks();
  if (launch >= chosen.size() || enough_ == 0) return;  // no sample
  if (const auto most = chosen[launch] / team; most < shuffled_.size()) shuffled_.resize(most);
  enough_ = shuffled_.size();
}

std::vector<unsigned> turn_order(unsigned blocks, std::uint64_t cluster) {
  std::vector<unsigned> order(blocks);
  std::iota(order.begin(), order.end(), 0u);
  if (seed() != 0) shuffle(order, seed() * 29 + cluster);
  return order;
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
