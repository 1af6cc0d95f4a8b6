#pragma once

#include "sim/runtime/tracer/tracer.hpp"

// What happens at every access of a traced kernel. All of it is inlined into the callbacks, where size and operation
// are constants, so that most of its questions are answered by the compiler; what is seldom needed is called.

namespace lab::sim {

inline std::uint8_t bytes_of_cell(std::uintptr_t offset, std::uintptr_t cell, unsigned bytes) {
  std::uint8_t mask = 0;
  for (unsigned i = 0; i < 4; ++i)
    if (cell * 4 + i >= offset && cell * 4 + i < offset + bytes) mask = static_cast<std::uint8_t>(mask | 1 << i);
  return mask;
}

LAB_INLINED void tracer::access(std::uintptr_t p, unsigned bytes, operation op, const void* pc) {
  if (suspicion_.open) settle();
  last_pc_ = pc;
  if (p - arena_begin < arena_end - arena_begin) return global_access(p, bytes, op, pc);
  for (auto& s : shared_)
    if (p - s.begin < s.end - s.begin) return shared_access(s, p, bytes, op, pc);
  other_access(p, bytes, op, pc);
}

LAB_INLINED void tracer::global_access(std::uintptr_t p, unsigned bytes, operation op, const void* pc) {
  const bool same_region = last_region_ && p - last_region_->begin < last_region_->bytes;
  const region* const r = same_region ? last_region_ : region_of(p);
  if (!r || p - r->begin + bytes > r->bytes) outside(r, p, bytes, pc);
  if (p & (bytes - 1)) misaligned(p, bytes);
  if (r->where == space::constant && op != operation::load) constant_write(p);
  if (op == operation::atomic) ++atomics_[p], block_used_atomics_ = true;
  (op == operation::load ? r->read : r->written) = true;
  const std::uint16_t site = sites_.number(pc, op, r->where);
  log(site, p, bytes);
  check(r->cells, p - r->begin, p, bytes, {thread_ + 1, block_ + 1, site, op, r->where, 15}, r->host_writes);
}

LAB_INLINED void tracer::shared_access(shared_range& s, std::uintptr_t p, unsigned bytes, operation op,
                                       const void* pc) {
  if (p - s.begin + bytes > s.usable) beyond_dynamic(p, bytes);
  if (p & (bytes - 1)) stopped_in_ = "shared", misaligned(p, bytes);
  if (op == operation::atomic) block_used_atomics_ = true;
  const std::uint16_t site = sites_.number(pc, op, space::shared);
  log(site, p - s.begin, bytes);
  check(s.cells.data(), p - s.begin, p, bytes, {thread_ + 1, block_ + 1, site, op, space::shared, 15}, false);
}

LAB_INLINED void tracer::check(shadow_cell* cells, std::uintptr_t offset, std::uintptr_t p, unsigned bytes,
                               shadow_access a, bool has_values) {
  bool raced = false;
  shadow_cell* empty = nullptr;
  for (std::uintptr_t cell = offset / 4; cell * 4 < offset + bytes; ++cell) {
    shadow_cell& c = cells[cell];
    if (bytes < 4) a.mask = bytes_of_cell(offset, cell, bytes);
    if (tells_nothing(c, a, clock_)) continue;
    conflict found;
    if (note_access(c, a, clock_, found) && !raced) race(found, p, bytes, a.op, a.site), raced = true;
    const bool reads = a.op == operation::load || (a.op == operation::atomic && !overwrites_);
    if (reads && !has_values && (c.has_value & a.mask) != a.mask) empty = &c, c.has_value = 15;  // said once
    if (a.op == operation::atomic) c.has_value = (c.has_value | a.mask) & 15;
  }
  if (empty) without_value(*empty, p, a.op, a.site);
}

}  // namespace lab::sim
