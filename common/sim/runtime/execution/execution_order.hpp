#pragma once

#include <cstdint>
#include <vector>

namespace lab::sim {

/// The order of the blocks of a grid that LAB_SIM_SEED=n chooses; without a seed, the ascending order.
/// LAB_SIM_SAMPLE=f: only a fraction f of the blocks runs, spread over the grid, but at least a few blocks.
class block_order {
 public:
  explicit block_order(std::uint64_t blocks);
  /// The same for launch number i of a program. LAB_SIM_BLOCKS=n,m,...: at most so many run, even if they
  /// are alike. With clusters of `team` blocks, clusters are ordered.
  block_order(std::uint64_t blocks, std::uint64_t launch, std::uint64_t team = 1);
  std::uint64_t size() const { return shuffled_.empty() ? blocks_ : shuffled_.size(); }
  /// The number of the block that runs as number i.
  std::uint64_t operator[](std::uint64_t i) const { return shuffled_.empty() ? (i + first_) % blocks_ : shuffled_[i]; }
  /// So many blocks are the wanted fraction. A sample has more only because blocks may differ; other runs need all.
  std::uint64_t enough() const { return enough_ > 0 ? enough_ : size(); }

 private:
  std::uint64_t blocks_, first_ = 0, enough_ = 0;
  std::vector<std::uint64_t> shuffled_;  // the blocks that run, if not all of them in ascending order
};

/// The fraction of blocks that LAB_SIM_SAMPLE asks for; 0: all blocks run.
double sampled_fraction();

/// The same for the blocks of a cluster that take turns.
std::vector<unsigned> turn_order(unsigned blocks, std::uint64_t cluster);

/// The same for the threads of a block, whole warps at a time.
std::vector<unsigned> thread_order(unsigned threads, std::uint64_t block);

}  // namespace lab::sim
