#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"

namespace lab::sim {

/// The blocks of a cooperative launch that share one OS thread. Each runs until it must wait for other blocks.
class cooperative_blocks {
 public:
  explicit cooperative_blocks(const lab_sim::kernel_call& call) : call_{call} {}

  void add(std::uint64_t number, const dim3& index) { all_.push_back({number, index, {}, {}, {}, {}, false}); }
  /// Runs until every block has ended or waits for the grid. Returns false if a block was abandoned.
  bool run();
  std::size_t waiting() const;
  std::size_t size() const { return all_.size(); }
  /// Ends the launch with an error: some blocks wait for the grid, but others have ended.
  void report_missing();

 private:
  struct block {
    std::uint64_t number;
    dim3 index;
    block_runner runner;
    std::vector<std::vector<unsigned char>> shared;
    std::shared_ptr<block_trace> traced;
    block_state state;
    bool started;
  };
  void exchange(block& entry);
  void turn(block& entry);

  const lab_sim::kernel_call& call_;
  std::vector<block> all_;
};

}  // namespace lab::sim
