#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"

namespace lab::sim {

/// The shared memory of a block while that of another block is in its place.
class saved_memory {
 public:
  /// Saves what the shared memory of this OS thread holds now. Later calls change nothing.
  void prepare(std::size_t dynamic_bytes);
  void exchange();
  /// Where the byte is saved that belongs at this place; null if it is not in shared memory.
  void* saved_from(const void* place) const { return counterpart(place, &piece::place, &piece::saved); }
  /// The opposite: where this saved byte belongs; null if it is not in this memory.
  void* place_of(const void* saved) const { return counterpart(saved, &piece::saved, &piece::place); }

 private:
  struct piece {
    unsigned char* place;
    std::size_t bytes;
    std::unique_ptr<unsigned char[]> storage;
    unsigned char* saved;  // aligned as the place is
  };
  void* counterpart(const void* at, unsigned char* piece::*from, unsigned char* piece::*to) const;

  std::vector<piece> pieces_;
};

/// A block that takes turns with other blocks on one OS thread. It runs until it must wait for them.
struct block_turns {
  std::uint64_t number = 0;
  dim3 index{};
  block_runner runner{};
  saved_memory shared{};
  std::shared_ptr<block_trace> traced{};
  block_state state = block_state::ended;
  bool started = false;

  bool has_ended() const { return started && state == block_state::ended; }
  /// Puts the block in the place of the one that runs on this OS thread, or back.
  void exchange(bool alone);
  void turn(const lab_sim::kernel_call& call, bool alone);
};

}  // namespace lab::sim
