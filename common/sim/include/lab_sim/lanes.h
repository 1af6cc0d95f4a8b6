#pragma once

// Shuffles in loops over the threads of a block: docs/design/thread-loops.md. All threads of the block have written
// their words before one reads.

#include "lab_sim/thread_loops.h"
#include "lab_sim/warp.h"

namespace lab_sim {

/// Ends the kernel: a row of threads is no whole number of warps or tiles, so a branch may divide them.
[[noreturn]] void divided_warps();

/// What the threads of a block have passed to a shuffle, as one of them sees it.
template <class T>
struct lanes {
  const uint64_t* words;
  size_t thread, threads;

  LAB_SIM_INLINE int lane() const { return static_cast<int>(thread % 32); }
  /// As in shuffle(). A lane that does not exist has the value of the lane that reads it.
  LAB_SIM_INLINE T value(int source, int width, bool inside) const {
    const int first = lane() / width * width;
    const size_t from = thread - lane() + first + (source & (width - 1));
    return from_word<T>(words[inside && from < threads ? from : thread]);
  }
};

template <class T>
LAB_SIM_INLINE T lane_up(const lanes<T>& all, unsigned delta, int width) {
  const int from = (all.lane() & (width - 1)) - static_cast<int>(delta);
  return all.value(from, width, from >= 0);
}
template <class T>
LAB_SIM_INLINE T lane_down(const lanes<T>& all, unsigned delta, int width) {
  const int from = (all.lane() & (width - 1)) + static_cast<int>(delta);
  return all.value(from, width, from < width);
}
template <class T>
LAB_SIM_INLINE T lane_xor(const lanes<T>& all, int with, int width) {
  const int from = (all.lane() & (width - 1)) ^ with;
  return all.value(from, width, from < width);
}

}  // namespace lab_sim

#define LAB_SIM_WORD(...) ::lab_sim::to_word(__VA_ARGS__)
#define LAB_SIM_LANES(word, passed)                                                                     \
  ::lab_sim::lanes<std::remove_cv_t<std::remove_reference_t<decltype(passed)>>> {                       \
    lab_keep_##word, (static_cast<void>(word), lab_thread), size_t{blockDim.x} * blockDim.y* blockDim.z \
  }
#define LAB_SIM_LANE(word, passed, source, width) LAB_SIM_LANES(word, passed).value(source, width, true)
#define LAB_SIM_LANE_UP(word, passed, delta, width) ::lab_sim::lane_up(LAB_SIM_LANES(word, passed), delta, width)
#define LAB_SIM_LANE_DOWN(word, passed, delta, width) ::lab_sim::lane_down(LAB_SIM_LANES(word, passed), delta, width)
#define LAB_SIM_LANE_XOR(word, passed, with, width) ::lab_sim::lane_xor(LAB_SIM_LANES(word, passed), with, width)
/// Of a tile, whose number of a member is always in it.
#define LAB_SIM_MEMBER_XOR(word, passed, with, width) \
  ::lab_sim::lane_xor(LAB_SIM_LANES(word, passed), (with) & ((width)-1), width)
#define LAB_SIM_WHOLE_WARPS(lanes) \
  if (blockDim.x % (lanes) != 0 && size_t{blockDim.y} * blockDim.z != 1) ::lab_sim::divided_warps()
