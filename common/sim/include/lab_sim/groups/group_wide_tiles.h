#pragma once

#include "lab_sim/groups/group_tiles.h"

// Tiles of more than one warp.

namespace cooperative_groups {

/// Memory that such tiles need on a device. The simulator leaves it alone.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  unsigned long long reserved[MaxBlockSize / 32];
};
template <unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}

template <unsigned Size, class Parent>
class thread_block_tile<Size, Parent, true> {
  static_assert((Size & (Size - 1)) == 0 && Size <= 1024, "a tile has a power of two threads, at most 1024");

 public:
  template <class Group>
  explicit thread_block_tile(const Group& parent) : tiles_{(static_cast<unsigned>(parent.size()) + Size - 1) / Size} {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>& tile) : tiles_{tile.meta_group_size()} {}

  void sync() const { meet(0); }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  unsigned thread_rank() const { return in_block() % Size; }
  unsigned meta_group_rank() const { return in_block() / Size % tiles_; }
  unsigned meta_group_size() const { return tiles_; }

  template <class T>
  T shfl(const T& value, unsigned rank) const {
    T values[Size];
    lab_exchange(value, values);
    return values[rank % Size];
  }
  int any(int predicate) const { return count(predicate) > 0; }
  int all(int predicate) const { return count(predicate) == Size; }

  /// The values of all threads of the tile.
  template <class T>
  void lab_exchange(const T& value, T (&values)[Size]) const {
    for (unsigned at = 0; at < sizeof(T); at += 8) {
      const unsigned bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
      uint64_t word = 0;
      memcpy(&word, reinterpret_cast<const char*>(&value) + at, bytes);
      const uint64_t* const words = meet(word);
      for (unsigned i = 0; i < Size; ++i) memcpy(reinterpret_cast<char*>(&values[i]) + at, &words[i], bytes);
    }
  }

 private:
  static unsigned in_block() { return static_cast<unsigned>(lab_sim::linear(threadIdx, blockDim)); }
  const uint64_t* meet(uint64_t value) const {
    return lab_sim::meet_part(in_block() / Size, Size, in_block() % Size, value);
  }
  unsigned count(int predicate) const {
    const uint64_t* const votes = meet(predicate != 0);
    unsigned all = 0;
    for (unsigned i = 0; i < Size; ++i) all += static_cast<unsigned>(votes[i]);
    return all;
  }
  unsigned tiles_;
};

}  // namespace cooperative_groups
