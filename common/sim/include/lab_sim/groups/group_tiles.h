#pragma once

#include "lab_sim/groups/groups.h"

// Groups within a warp: tiles of a power of two, and coalesced groups.

namespace cooperative_groups {

namespace details {

/// `value` of another lane. Every lane of the mask passes the lane that it reads.
template <class T>
T from_lane(unsigned mask, const T& value, unsigned source) {
  T result = value;
  for (unsigned at = 0; at < sizeof(T); at += 8) {
    const unsigned bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
    uint64_t word = 0;
    memcpy(&word, reinterpret_cast<const char*>(&value) + at, bytes);
    const uint64_t theirs = lab_sim::meet(mask, word)[source % 32];
    memcpy(reinterpret_cast<char*>(&result) + at, &theirs, bytes);
  }
  return result;
}

inline unsigned nth_lane(unsigned mask, unsigned rank) {
  while (rank-- > 0) mask &= mask - 1;
  return mask == 0 ? lab_sim::lane() : static_cast<unsigned>(__builtin_ctz(mask));
}

// The bits at the lanes of the mask, packed.
inline unsigned packed(unsigned bits, unsigned mask) {
  unsigned result = 0;
  for (unsigned i = 0; mask != 0; ++i, mask &= mask - 1)
    if (bits & mask & -mask) result |= 1u << i;
  return result;
}

}  // namespace details

/// Lanes of one warp, numbered from 0.
class lane_group : public thread_group {
 public:
  explicit lane_group(unsigned mask) : thread_group{details::kind::lanes, mask} {}
  LAB_SIM_INLINE void sync(lab_sim::place = {}) const { lab_sim::meet(mask_, 0); }
  unsigned size() const { return static_cast<unsigned>(thread_group::size()); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return static_cast<unsigned>(thread_group::thread_rank()); }
  unsigned lab_mask() const { return mask_; }

  template <class T>
  T shfl(T value, unsigned rank) const {
    return details::from_lane(mask_, value, details::nth_lane(mask_, rank % size()));
  }
  template <class T>
  T shfl_up(T value, unsigned delta) const {
    const unsigned me = thread_rank();
    return details::from_lane(mask_, value, details::nth_lane(mask_, delta > me ? me : me - delta));
  }
  template <class T>
  T shfl_down(T value, unsigned delta) const {
    const unsigned me = thread_rank();
    return details::from_lane(mask_, value, details::nth_lane(mask_, me + delta >= size() ? me : me + delta));
  }
  unsigned ballot(int predicate) const { return details::packed(__ballot_sync(mask_, predicate), mask_); }
  int any(int predicate) const { return __any_sync(mask_, predicate); }
  int all(int predicate) const { return __all_sync(mask_, predicate); }
  template <class T>
  unsigned match_any(T value) const {
    return details::packed(__match_any_sync(mask_, value), mask_);
  }
  template <class T>
  unsigned match_all(T value, int& predicate) const {
    return details::packed(__match_all_sync(mask_, value, &predicate), mask_);
  }
};

class coalesced_group : public lane_group {
 public:
  using lane_group::lane_group;
  unsigned meta_group_size() const { return 1; }
  unsigned meta_group_rank() const { return 0; }
};

inline coalesced_group coalesced_threads(const char* function = __builtin_FUNCTION(), int line = __builtin_LINE()) {
  return coalesced_group{lab_sim::gather(function, line)};
}

template <unsigned Size, class Parent = void, bool is_wide = (Size > 32)>
class thread_block_tile : public lane_group {
  static_assert((Size & (Size - 1)) == 0 && Size > 0, "a tile has a power of two threads");

 public:
  template <class Group>
  explicit thread_block_tile(const Group& parent)
      : lane_group{mask_in(parent)},
        rank_{static_cast<unsigned>(parent.thread_rank()) / Size},
        tiles_{(static_cast<unsigned>(parent.size()) + Size - 1) / Size} {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>& tile)
      : lane_group{tile.lab_mask()}, rank_{tile.meta_group_rank()}, tiles_{tile.meta_group_size()} {}

  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  unsigned thread_rank() const { return lab_sim::lane() % Size; }
  unsigned meta_group_rank() const { return rank_; }
  unsigned meta_group_size() const { return tiles_; }
  // Its lanes are neighbors, so nothing needs to count the bits of the mask.
  template <class T>
  T shfl(T value, unsigned rank) const {
    return of_member(value, rank % Size);
  }
  template <class T>
  T shfl_up(T value, unsigned delta) const {
    const unsigned me = thread_rank();
    return of_member(value, delta > me ? me : me - delta);
  }
  template <class T>
  T shfl_down(T value, unsigned delta) const {
    const unsigned me = thread_rank();
    return of_member(value, delta >= Size - me ? me : me + delta);
  }
  template <class T>
  T shfl_xor(T value, unsigned with) const {
    return of_member(value, (thread_rank() ^ with) & (Size - 1));
  }

 private:
  template <class T>
  T of_member(const T& value, unsigned rank) const {
    return details::from_lane(mask_, value, lab_sim::lane() / Size * Size + rank);
  }
  template <class Group>
  static unsigned mask_in(const Group&) {
    const unsigned first = lab_sim::lane() / Size * Size;
    return Size == 32 ? ~0u : ((1u << Size % 32) - 1) << first;
  }
  unsigned rank_, tiles_;
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>{parent};
}

/// Tiles whose size is known at run time only.
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  unsigned left = parent.kind_ == details::kind::lanes ? parent.mask_ : ~0u, mask = 0;
  const unsigned first = static_cast<unsigned>(parent.thread_rank()) / size * size % 32;
  for (unsigned i = 0; i < 32 && left != 0; ++i, left &= left - 1)
    if (i >= first && i < first + size) mask |= left & -left;
  return {details::kind::lanes, mask};
}
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  unsigned left = parent.lab_mask(), mask = 0;
  const unsigned first = parent.thread_rank() / size * size;
  for (unsigned i = 0; left != 0; ++i, left &= left - 1)
    if (i >= first && i < first + size) mask |= left & -left;
  return coalesced_group{mask};
}

template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group{__match_any_sync(group.lab_mask(), label)};
}
template <class Group>
coalesced_group binary_partition(const Group& group, bool label) {
  return coalesced_group{__match_any_sync(group.lab_mask(), label)};
}

}  // namespace cooperative_groups
