#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "sim/runtime/traffic/access_sites.hpp"

// Every access of a traced kernel runs the functions that are always inlined: operation and size are constants in the
// callbacks.
#define LAB_INLINED inline __attribute__((always_inline))
#define LAB_APART __attribute__((noinline))

namespace lab::sim {

/// The accesses to four bytes since the last barrier and in this launch, and which of the bytes have a value. Between
/// two barriers only one block runs, so the last writer is a thread of the cell's interval or another block.
struct shadow_cell {
  std::uint32_t interval;  // of the last access
  std::uint8_t has_value : 4, write_mask : 4, read_mask : 4, atomic_mask : 4;
  std::uint16_t write_site, read_site, atomic_site;
  std::uint32_t block : 31, split : 1;        // + 1, of the last access; split: each byte has a cell of its own
  std::uint32_t writer, atomic;               // stamp of a thread in this interval, else block + 1
  std::uint32_t reader, reader2;              // stamps
  std::uint32_t reader_block, reader2_block;  // + 1
  std::uint32_t history;                      // of global memory: what the operations in streams did to it
};
static_assert(sizeof(shadow_cell) == 44);

/// One access as the race analysis sees it.
struct shadow_access {
  std::uint32_t thread;  // + 1
  std::uint32_t block;   // + 1
  std::uint16_t site;
  operation op;
  space where;
  std::uint8_t mask;  // of the cell's bytes
};

/// Numbers the intervals between barriers; each barrier, block and launch begins a new one.
struct interval_clock {
  std::uint32_t now = 1, block_start = 1, launch_start = 1;
  std::uint32_t warp[32] = {};  // warp operations of each warp so far
};

/// A thread in an interval: thread + 1, from bit 11 the number of its warp operations, and a bit that no block has.
constexpr std::uint32_t is_thread = 1u << 31;
constexpr std::uint32_t thread_of(std::uint32_t stamp) { return stamp & 0x7ff; }
LAB_INLINED std::uint32_t stamp(std::uint32_t thread, const interval_clock& clock) {
  return thread | clock.warp[(thread - 1) / 32] << 11 | is_thread;
}

/// True for a read that adds nothing: every later write that conflicts with it also conflicts with a known reader. Most
/// reads of a tile are such.
LAB_INLINED bool adds_nothing(const shadow_cell& cell, shadow_access access, const interval_clock& clock) {
  if (access.op != operation::load || cell.interval != clock.now || ((cell.writer | cell.atomic) & is_thread) ||
      cell.reader2 == 0)
    return false;
  if ((cell.read_mask & access.mask) != access.mask || (cell.has_value & access.mask) != access.mask) return false;
  const std::uint32_t first = thread_of(cell.reader), second = thread_of(cell.reader2), warp = (second - 1) / 32;
  const bool same_step =
      warp == (access.thread - 1) / 32 && cell.reader == stamp(first, clock) && cell.reader2 == stamp(second, clock);
  if ((first - 1) / 32 == warp && !same_step) return false;
  return access.where == space::shared || ((cell.writer == 0 || cell.writer == access.block) &&
                                           (cell.reader_block == access.block || cell.reader2_block == access.block));
}

/// Whether the operation in a stream that runs now accesses these bytes in this way for the first time.
LAB_INLINED bool first_of_operation(const shadow_cell& cell, shadow_access access, const interval_clock& clock) {
  if (cell.interval < clock.launch_start) return true;
  const unsigned known = access.op == operation::load    ? cell.read_mask
                         : access.op == operation::store ? cell.write_mask
                                                         : cell.atomic_mask;
  return (known & access.mask) != access.mask;
}

struct conflict {
  bool between_blocks, both_write;
  std::uint32_t other;  // thread + 1, or block + 1
  std::uint16_t other_site;
};

/// Records the access. Returns whether it conflicts with an earlier, unordered access of another thread, and with
/// which. The order in which the threads run does not change which cells conflict.
LAB_INLINED bool note_access(shadow_cell& cell, shadow_access access, const interval_clock& clock, conflict& found);

/// Records a load or store of all four bytes, the first one in a launch or, in shared memory, after a barrier.
/// `anew`: earlier accesses do not count, because they were in another launch or, in shared memory, in another block.
LAB_INLINED void begin_cell(shadow_cell& cell, bool anew, shadow_access access, const interval_clock& clock);

/// Cells for single bytes, four for each cell of four bytes. The system allocates only the pages that are used.
class byte_cells {
 public:
  /// The four cells of this cell, which is one of `count`.
  shadow_cell* of(std::size_t cell, std::size_t count) {
    if (!all_) all_.reset(static_cast<shadow_cell*>(std::calloc(count * 4, sizeof(shadow_cell))), std::free);
    if (!all_) throw std::bad_alloc{};
    return all_.get() + cell * 4;
  }
  void forget() { all_.reset(); }

 private:
  std::shared_ptr<shadow_cell> all_;
};

/// Whether the bytes have had cells of their own since the launch or, in shared memory, the block began.
LAB_INLINED bool is_split(const shadow_cell& cell, space where, const interval_clock& clock) {
  return cell.split && cell.interval >= (where == space::shared ? clock.block_start : clock.launch_start);
}

}  // namespace lab::sim

#include "sim/runtime/hazards/race_rules.hpp"
