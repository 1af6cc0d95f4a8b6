#pragma once

#include <cstdint>

#include "sim/runtime/traffic/access_sites.hpp"

namespace lab::sim {

/// Who touched four bytes since the last barrier, which blocks did in this launch, and which bytes have a value. An
/// interval is of one block, so that the last writer is either a thread of the cell's interval or another block.
struct shadow_cell {
  std::uint32_t interval;  // the last one in which a thread came here
  std::uint8_t has_value : 4, write_mask : 4, read_mask : 4, atomic_mask : 4;
  std::uint16_t write_site, read_site, atomic_site;
  std::uint32_t block;                        // + 1, of the interval
  std::uint32_t writer, atomic;               // the stamp of a thread in the interval, or, from earlier ones, block + 1
  std::uint32_t reader, reader2;              // stamps
  std::uint32_t reader_block, reader2_block;  // + 1
};
static_assert(sizeof(shadow_cell) == 40);

/// One access as the race analysis sees it.
struct shadow_access {
  std::uint32_t thread;  // + 1
  std::uint32_t block;   // + 1
  std::uint16_t site;
  operation op;
  space where;
  std::uint8_t mask;  // of the cell's bytes
};

/// Which interval is running: numbers that grow with every barrier, block and launch.
struct interval_clock {
  std::uint32_t now = 1, block_start = 1, launch_start = 1;
  std::uint32_t warp[32] = {};  // meetings of each warp
};

/// A thread in an interval: thread + 1, above bit 11 how often its warp has met, and a bit that no block's number has.
constexpr std::uint32_t is_thread = 1u << 31;
constexpr std::uint32_t thread_of(std::uint32_t stamp) { return stamp & 0x7ff; }
inline std::uint32_t stamp(std::uint32_t thread, const interval_clock& clock) {
  return thread | clock.warp[(thread - 1) / 32] << 11 | is_thread;
}

/// True for a read that tells the analysis nothing new: two readers are known with which every later write conflicts
/// that would conflict with this one. Most reads of a tile are such.
inline bool tells_nothing(const shadow_cell& c, const shadow_access& a, const interval_clock& clock) {
  if (a.op != operation::load || c.interval != clock.now || ((c.writer | c.atomic) & is_thread) || c.reader2 == 0)
    return false;
  if ((c.read_mask & a.mask) != a.mask || (c.has_value & a.mask) != a.mask) return false;
  const std::uint32_t first = thread_of(c.reader), second = thread_of(c.reader2), warp = (second - 1) / 32;
  const bool same_step =
      warp == (a.thread - 1) / 32 && c.reader == stamp(first, clock) && c.reader2 == stamp(second, clock);
  if ((first - 1) / 32 == warp && !same_step) return false;
  return a.where == space::shared ||
         ((c.writer == 0 || c.writer == a.block) && (c.reader_block == a.block || c.reader2_block == a.block));
}

struct conflict {
  bool between_blocks = false, both_write = false;
  std::uint32_t other = 0;  // thread + 1, or block + 1
  std::uint16_t other_site = 0;
};

/// Notes the access and says whether, and with which, an earlier one of another thread, not ordered before it,
/// conflicts. Any order of the threads finds the same cells in conflict.
inline bool note_access(shadow_cell& cell, const shadow_access& access, const interval_clock& clock, conflict& found);

}  // namespace lab::sim

#include "sim/runtime/hazards/race_rules.hpp"
