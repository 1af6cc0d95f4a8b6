#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lab::sim {

/// A barrier at which a part of a block's threads meet: as many as its first thread has said.
struct part_barrier {
  unsigned expected = 0, arrived = 0;
  std::uint64_t phase = 0;
  // What each thread passed, of even and of odd phases: a thread may read the values until it arrives again.
  std::vector<std::uint64_t> values[2];

  std::vector<std::uint64_t>& present() { return values[phase % 2]; }
};

/// The barriers of one block, by their numbers.
class part_barriers {
 public:
  void start_block() { all_.clear(); }
  part_barrier& of(std::uint64_t number) { return all_[number]; }

 private:
  std::unordered_map<std::uint64_t, part_barrier> all_;
};

}  // namespace lab::sim
