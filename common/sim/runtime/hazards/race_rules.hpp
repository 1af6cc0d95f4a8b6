#pragma once

#include "sim/runtime/hazards/shadow_memory.hpp"

// Every access of a traced kernel comes here. Inlined even where the compiler would not, since the callbacks know what
// operation and size it is.
#define LAB_INLINED inline __attribute__((always_inline))

namespace lab::sim {

namespace shadow_rules {

inline bool unordered(std::uint32_t other, const shadow_access& a, const interval_clock& clock) {
  const std::uint32_t thread = thread_of(other);
  if (!(other & is_thread) || thread == a.thread) return false;
  return (thread - 1) / 32 != (a.thread - 1) / 32 || other == stamp(thread, clock);
}

inline bool with_threads(const shadow_cell& c, const shadow_access& a, const interval_clock& clock, conflict& found) {
  const bool writes = a.op != operation::load;
  if (a.op != operation::atomic && (c.atomic_mask & a.mask) && unordered(c.atomic, a, clock))
    return found = {false, writes, thread_of(c.atomic), c.atomic_site}, true;
  if ((c.write_mask & a.mask) && unordered(c.writer, a, clock))
    return found = {false, writes, thread_of(c.writer), c.write_site}, true;
  if (!writes || !(c.read_mask & a.mask)) return false;
  for (const std::uint32_t reader : {c.reader, c.reader2})
    if (unordered(reader, a, clock)) return found = {false, false, thread_of(reader), c.read_site}, true;
  return false;
}

inline bool with_blocks(const shadow_cell& c, const shadow_access& a, conflict& found) {
  const auto other = [&](std::uint32_t block) { return block != 0 && !(block & is_thread) && block != a.block; };
  if ((c.write_mask & a.mask) && other(c.writer))
    return found = {true, a.op != operation::load, c.writer, c.write_site}, true;
  if (a.op == operation::load) return false;
  if (a.op == operation::store && (c.atomic_mask & a.mask) && other(c.atomic))
    return found = {true, true, c.atomic, c.atomic_site}, true;
  // Reading what other blocks count atomically is how a last block is found.
  if (a.op == operation::atomic || !(c.read_mask & a.mask)) return false;
  for (const std::uint32_t reader : {c.reader_block, c.reader2_block})
    if (other(reader)) return found = {true, false, reader, c.read_site}, true;
  return false;
}

// The first two readers suffice: a later writer differs from one of them.
inline void note_reader(std::uint32_t& first, std::uint32_t& second, std::uint32_t me, std::uint32_t identity) {
  if (first == 0 || (first & identity) == (me & identity))
    first = me;
  else
    second = me;
}

LAB_INLINED void note(shadow_cell& c, const shadow_access& a, const interval_clock& clock) {
  const std::uint32_t me = stamp(a.thread, clock);
  switch (a.op) {
    case operation::load:
      note_reader(c.reader, c.reader2, me, thread_of(~0u));
      note_reader(c.reader_block, c.reader2_block, a.block, ~0u);
      c.read_site = a.site;
      c.read_mask = (c.read_mask | a.mask) & 15;
      return;
    case operation::store:
      c.writer = me;
      c.write_site = a.site;
      c.write_mask = a.mask & 15;
      c.has_value = (c.has_value | a.mask) & 15;
      return;
    case operation::atomic:
      c.atomic = me;
      c.atomic_site = a.site;
      c.atomic_mask = a.mask & 15;
  }
}

// Nothing that came before in this launch, for shared memory in this block, concerns the cell any more.
LAB_INLINED void start_afresh(shadow_cell& c, space where) {
  const auto value = where == space::shared ? 0 : c.has_value;
  c = {};
  c.has_value = value & 15;
}

inline void start_interval(shadow_cell& c) {
  for (std::uint32_t* who : {&c.writer, &c.atomic})
    if (*who & is_thread) *who = c.block;
  c.reader = c.reader2 = 0;
}

}  // namespace shadow_rules

LAB_INLINED bool note_access(shadow_cell& c, const shadow_access& a, const interval_clock& clock, conflict& found) {
  bool conflicts = false;
  if (c.interval < (a.where == space::shared ? clock.block_start : clock.launch_start)) {
    shadow_rules::start_afresh(c, a.where);
  } else {
    if (c.interval != clock.now) shadow_rules::start_interval(c);
    conflicts = shadow_rules::with_threads(c, a, clock, found) ||
                (a.where == space::global && shadow_rules::with_blocks(c, a, found));
  }
  c.interval = clock.now;
  c.block = a.block;
  shadow_rules::note(c, a, clock);
  return conflicts;
}

}  // namespace lab::sim
