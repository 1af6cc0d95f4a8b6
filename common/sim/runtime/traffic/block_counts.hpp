#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace lab::sim {

/// Compares what the blocks of one launch count.
class block_counts {
 public:
  /// The sums of all counters after one more block. New counters come at their end.
  void add(std::vector<std::uint64_t> sums) {
    auto own = sums;
    for (std::size_t i = 0; i < before_.size(); ++i) own[i] -= before_[i];
    if (blocks_++ == 0) first_ = own;
    first_.resize(sums.size());
    alike_ = alike_ && own == first_;
    before_ = std::move(sums);
  }
  /// Whether each block counted exactly what the first one did.
  bool alike() const { return alike_; }

 private:
  std::uint64_t blocks_ = 0;
  std::vector<std::uint64_t> before_, first_;
  bool alike_ = true;
};

}  // namespace lab::sim
