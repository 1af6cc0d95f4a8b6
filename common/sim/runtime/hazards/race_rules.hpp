#pragma once

#include "sim/runtime/hazards/shadow_memory.hpp"

namespace lab::sim {

namespace shadow_rules {

inline bool unordered(std::uint32_t other, shadow_access access, const interval_clock& clock) {
  const std::uint32_t thread = thread_of(other);
  if (!(other & is_thread) || thread == access.thread) return false;
  return (thread - 1) / 32 != (access.thread - 1) / 32 || other == stamp(thread, clock);
}

inline bool with_threads(const shadow_cell& cell, shadow_access access, const interval_clock& clock, conflict& found) {
  const bool writes = access.op != operation::load;
  if (access.op != operation::atomic && (cell.atomic_mask & access.mask) && unordered(cell.atomic, access, clock))
    return found = {false, writes, thread_of(cell.atomic), cell.atomic_site}, true;
  if ((cell.write_mask & access.mask) && unordered(cell.writer, access, clock))
    return found = {false, writes, thread_of(cell.writer), cell.write_site}, true;
  if (!writes || !(cell.read_mask & access.mask)) return false;
  for (const std::uint32_t reader : {cell.reader, cell.reader2})
    if (unordered(reader, access, clock)) return found = {false, false, thread_of(reader), cell.read_site}, true;
  return false;
}

inline bool with_blocks(const shadow_cell& cell, shadow_access access, conflict& found) {
  const auto other = [&](std::uint32_t block) { return block != 0 && !(block & is_thread) && block != access.block; };
  if ((cell.write_mask & access.mask) && other(cell.writer))
    return found = {true, access.op != operation::load, cell.writer, cell.write_site}, true;
  if (access.op == operation::load) return false;
  if (access.op == operation::store && (cell.atomic_mask & access.mask) && other(cell.atomic))
    return found = {true, true, cell.atomic, cell.atomic_site}, true;
  // The last-block pattern reads what other blocks count atomically.
  if (access.op == operation::atomic || !(cell.read_mask & access.mask)) return false;
  for (const std::uint32_t reader : {cell.reader_block, cell.reader2_block})
    if (other(reader)) return found = {true, false, reader, cell.read_site}, true;
  return false;
}

// The first two readers are enough: any later writer differs from one of them.
LAB_INLINED void note_reader(std::uint32_t& first, std::uint32_t& second, std::uint32_t me, std::uint32_t identity) {
  if (first == 0 || (first & identity) == (me & identity))
    first = me;
  else
    second = me;
}

LAB_INLINED void note(shadow_cell& cell, shadow_access access, const interval_clock& clock) {
  const std::uint32_t me = stamp(access.thread, clock);
  switch (access.op) {
    case operation::load:
      note_reader(cell.reader, cell.reader2, me, thread_of(~0u));
      note_reader(cell.reader_block, cell.reader2_block, access.block, ~0u);
      cell.read_site = access.site;
      cell.read_mask = (cell.read_mask | access.mask) & 15;
      return;
    case operation::store:
      cell.writer = me;
      cell.write_site = access.site;
      cell.write_mask = access.mask & 15;
      cell.has_value = (cell.has_value | access.mask) & 15;
      return;
    case operation::atomic:
      cell.atomic = me;
      cell.atomic_site = access.site;
      cell.atomic_mask = access.mask & 15;
  }
}

// The cell was last accessed in an earlier launch, or, in shared memory, by an earlier block.
LAB_INLINED void clear_history(shadow_cell& cell, space where) {
  const auto value = where == space::shared ? 0 : cell.has_value;
  const auto history = cell.history;
  cell = {};  // no longer split
  cell.has_value = value & 15;
  cell.history = history;
}

LAB_INLINED void start_interval(shadow_cell& cell) {
  for (std::uint32_t* last : {&cell.writer, &cell.atomic})
    if (*last & is_thread) *last = cell.block;
  cell.reader = cell.reader2 = 0;
}

}  // namespace shadow_rules

LAB_INLINED bool note_access(shadow_cell& cell, shadow_access access, const interval_clock& clock, conflict& found) {
  bool conflicts = false;
  if (cell.interval < (access.where == space::shared ? clock.block_start : clock.launch_start)) {
    shadow_rules::clear_history(cell, access.where);
  } else {
    if (cell.interval != clock.now) shadow_rules::start_interval(cell);
    conflicts = shadow_rules::with_threads(cell, access, clock, found) ||
                (access.where == space::global && shadow_rules::with_blocks(cell, access, found));
  }
  cell.interval = clock.now;
  cell.block = access.block & 0x7fffffff;
  shadow_rules::note(cell, access, clock);
  return conflicts;
}

LAB_INLINED void begin_cell(shadow_cell& cell, bool anew, shadow_access access, const interval_clock& clock) {
  if (anew)
    shadow_rules::clear_history(cell, access.where);
  else
    shadow_rules::start_interval(cell);
  cell.interval = clock.now;
  cell.block = access.block & 0x7fffffff;
  if (access.op == operation::load) {
    cell.reader = stamp(access.thread, clock);
    cell.reader_block = access.block;
    cell.read_site = access.site;
    cell.read_mask = 15;
  } else {
    cell.writer = stamp(access.thread, clock);
    cell.write_site = access.site;
    cell.write_mask = cell.has_value = 15;
  }
}

/// Gives each byte what is known of all four.
inline void split(shadow_cell& cell, shadow_cell* bytes) {
  for (unsigned b = 0; b < 4; ++b) bytes[b] = cell;
  cell.split = 1;
}

}  // namespace lab::sim
