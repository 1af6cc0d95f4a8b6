#pragma once

#include <cstdint>
#include <vector>

#include "sim/runtime/execution/block_turns.hpp"

namespace lab::sim {

/// The blocks of a cooperative launch that share one OS thread. Each runs until it must wait for other blocks.
class cooperative_blocks {
 public:
  explicit cooperative_blocks(const lab_sim::kernel_call& call) : call_{call} {}

  void add(std::uint64_t number, const dim3& index) { all_.push_back({.number = number, .index = index}); }
  /// Runs until every block has ended or waits for the grid. Returns false if a block was abandoned.
  bool run();
  std::size_t waiting() const;
  std::size_t size() const { return all_.size(); }
  /// Ends the launch with an error: some blocks wait for the grid, but others have ended.
  void report_missing();

 private:
  bool alone() const { return all_.size() == 1; }

  const lab_sim::kernel_call& call_;
  std::vector<block_turns> all_;
};

}  // namespace lab::sim
