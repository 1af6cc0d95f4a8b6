#include "shadow.hpp"

namespace lab::sim {

namespace {

constexpr std::uint32_t thread_mask = 0x7ff;

void bring_up_to_date(shadow_cell& c, space where, const interval_clock& clock) {
  if (c.interval == clock.now) return;
  if (c.interval < (where == space::shared ? clock.block_start : clock.launch_start)) {
    const auto value = where == space::shared ? 0 : c.has_value;
    c = {};
    c.has_value = value & 15;
  }
  c.writer = c.reader = c.reader2 = c.atomic = 0;
  c.interval = clock.now;
}

std::uint32_t stamp(const shadow_access& a, const interval_clock& clock) {
  return a.thread | clock.warp[(a.thread - 1) / 32] << 11;
}

bool unordered(std::uint32_t other, const shadow_access& a, const interval_clock& clock) {
  const std::uint32_t thread = other & thread_mask;
  if (thread == 0 || thread == a.thread) return false;
  const std::uint32_t warp = (thread - 1) / 32;
  return warp != (a.thread - 1) / 32 || other >> 11 == clock.warp[warp];
}

conflict with_threads(const shadow_cell& c, const shadow_access& a, const interval_clock& clock) {
  const bool writes = a.op != operation::load;
  if (a.op != operation::atomic && (c.atomic_mask & a.mask) && unordered(c.atomic, a, clock))
    return {true, false, writes, c.atomic & thread_mask, c.atomic_site};
  if ((c.write_mask & a.mask) && unordered(c.writer, a, clock))
    return {true, false, writes, c.writer & thread_mask, c.write_site};
  if (!writes || !(c.read_mask & a.mask)) return {};
  for (const std::uint32_t reader : {c.reader, c.reader2})
    if (unordered(reader, a, clock)) return {true, false, false, reader & thread_mask, c.read_site};
  return {};
}

conflict with_blocks(const shadow_cell& c, const shadow_access& a) {
  const auto other = [&](std::uint32_t block) { return block != 0 && block != a.block; };
  if ((c.write_mask & a.mask) && other(c.writer_block))
    return {true, true, a.op != operation::load, c.writer_block, c.write_site};
  if (a.op == operation::load) return {};
  if (a.op == operation::store && (c.atomic_mask & a.mask) && other(c.atomic_block))
    return {true, true, true, c.atomic_block, c.atomic_site};
  // Reading what other blocks count atomically is how a last block is found.
  if (a.op == operation::atomic || !(c.read_mask & a.mask)) return {};
  for (const std::uint32_t reader : {c.reader_block, c.reader2_block})
    if (other(reader)) return {true, true, false, reader, c.read_site};
  return {};
}

// The first two readers suffice: a later writer differs from one of them.
void note_reader(std::uint32_t& first, std::uint32_t& second, std::uint32_t me, std::uint32_t identity) {
  if (first == 0 || (first & identity) == (me & identity))
    first = me;
  else
    second = me;
}

void note(shadow_cell& c, const shadow_access& a, const interval_clock& clock) {
  const std::uint32_t me = stamp(a, clock);
  switch (a.op) {
    case operation::load:
      note_reader(c.reader, c.reader2, me, thread_mask);
      note_reader(c.reader_block, c.reader2_block, a.block, ~0u);
      c.read_site = a.site;
      c.read_mask = (c.read_mask | a.mask) & 15;
      return;
    case operation::store:
      c.writer = me;
      c.writer_block = a.block;
      c.write_site = a.site;
      c.write_mask = a.mask & 15;
      break;
    case operation::atomic:
      c.atomic = me;
      c.atomic_block = a.block;
      c.atomic_site = a.site;
      c.atomic_mask = a.mask & 15;
  }
  c.has_value = (c.has_value | a.mask) & 15;
}

}  // namespace

conflict note_access(shadow_cell& c, const shadow_access& a, const interval_clock& clock) {
  bring_up_to_date(c, a.where, clock);
  conflict found = with_threads(c, a, clock);
  if (!found.found && a.where == space::global) found = with_blocks(c, a);
  note(c, a, clock);
  return found;
}

}  // namespace lab::sim
