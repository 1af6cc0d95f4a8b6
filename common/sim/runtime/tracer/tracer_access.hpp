#pragma once

#include "sim/runtime/tracer/tracer.hpp"

// The code that runs at every access of a traced kernel. It is inlined into the callbacks, where size and operation are
// constants, so the compiler resolves most branches. Rare cases are calls.

namespace lab::sim {

inline std::uint8_t bytes_of_cell(std::uintptr_t offset, std::uintptr_t cell, std::size_t bytes) {
  std::uint8_t mask = 0;
  for (unsigned i = 0; i < 4; ++i)
    if (cell * 4 + i >= offset && cell * 4 + i < offset + bytes) mask = static_cast<std::uint8_t>(mask | 1 << i);
  return mask;
}

// Calls `visit` for pieces of at most 16 bytes, each aligned to its length.
template <class Visit>
void in_pieces(std::uintptr_t address, std::size_t bytes, const Visit& visit) {
  while (bytes > 0) {
    unsigned piece = 16;
    while (piece > bytes || address % piece != 0) piece /= 2;
    visit(address, piece);
    address += piece;
    bytes -= piece;
  }
}

LAB_INLINED void tracer::cover(std::uintptr_t address, operation op, const void* pc) {
  last_pc_ = pc;
  if (address - arena_begin < arena_end - arena_begin) return note_place(pc, op, space::global);
  for (const auto& s : shared_)
    if (address - s.begin < s.end - s.begin) return note_place(pc, op, space::shared);
  cover_other(address, op, pc);
}

LAB_INLINED void tracer::note_place(const void* pc, operation op, space where) {
  site* const place = sites_.recent(pc, where);
  if (!place) return note_new_place(pc, op, where);
  place->executed = true;
  place->repeated |= path_->repeating();
}

// Returns whether an operation that nothing orders with the current one accessed these bytes in a way that conflicts.
LAB_INLINED bool tracer::follow_streams(shadow_cell& cell, shadow_access access, std::uintptr_t address,
                                        unsigned bytes) {
  const std::uint32_t* const next = histories_.known(cell.history, access.site, access.mask);
  if (!next) return extend_history(cell, access, address, bytes);
  cell.history = *next;
  return false;
}

// The usual first access to four bytes in a launch or, in shared memory, after a barrier: no access can be in conflict
// with it. Returns false for any other.
LAB_INLINED bool tracer::begins_cell(shadow_cell& cell, bool has_values, shadow_access access) {
  const bool shared = access.where == space::shared;
  if (access.op == operation::atomic || cell.interval == clock_.now) return false;
  const bool anew = cell.interval < (shared ? clock_.block_start : clock_.launch_start);
  if (!anew && (!shared || cell.split)) return false;
  if (access.op == operation::load && !has_values && (cell.has_value != 15 || (anew && shared))) return false;
  if (!shared) {
    const std::uint32_t* const history = histories_.known(cell.history, access.site, 15);
    if (!history) return false;
    cell.history = *history;
  }
  begin_cell(cell, anew, access, clock_);
  return true;
}

// Whether nothing is to be asked about these bytes; then all is noted. Otherwise check() looks at each.
LAB_INLINED bool tracer::is_usual(shadow_cell* cells, bool has_values, std::uintptr_t offset, unsigned bytes,
                                  shadow_access access) {
  if (bytes < 4 || offset % 4 != 0) return false;
  for (shadow_cell *c = cells + offset / 4, *const end = c + bytes / 4; c < end; ++c)
    if (!adds_nothing(*c, access, clock_) && !begins_cell(*c, has_values, access)) return false;
  return true;
}

template <bool by_thread>
LAB_INLINED void tracer::global_access(std::uintptr_t address, unsigned bytes, operation op, const void* pc) {
  const bool same_region = last_region_ && address - last_region_->begin < last_region_->bytes;
  const region* const r = same_region ? last_region_ : region_of(address);
  if (!r || address - r->begin + bytes > r->bytes) outside(r, address, bytes, pc);
  if (address & (bytes - 1)) misaligned(address, bytes);
  if (r->where == space::constant && op != operation::load) constant_write(address);
  if (op == operation::atomic) ++atomics_[address], block_used_atomics_ = true;
  (op == operation::load ? r->read : r->written) = true;
  // A thread that goes down a column leaves the cells beside it to the next threads.
  __builtin_prefetch(&r->cells[(address - r->begin) / 4 + 3], 1);
  const std::uint16_t site = sites_.number(pc, op, r->where);
  if (op == operation::atomic) sites_[site].of_system = of_system_;
  if constexpr (by_thread) log(site, address, bytes);
  if (sampled_) {
    if (r->where == space::global) r->notes.add(address, bytes, op, block_);
    return;
  }
  const space where = r->where == space::constant ? space::constant : space::global;
  if (!is_usual(r->cells, r->host_writes, address - r->begin, bytes, {thread_ + 1, block_ + 1, site, op, where, 15}))
    check(*r, address, bytes, site, op);
}

LAB_INLINED void tracer::shared_access(shared_range& range, std::uintptr_t address, unsigned bytes, operation op,
                                       const void* pc) {
  if (address - range.begin + bytes > range.usable) beyond_dynamic(address, bytes);
  if (address & (bytes - 1)) stopped_in_ = "shared", misaligned(address, bytes);
  if (op == operation::atomic) block_used_atomics_ = true;
  if (!engines_.copies.empty()) meets_copy(range, address, bytes, op, pc);
  if (!engines_.products.empty() && op != operation::load) meets_product(address, bytes, pc);
  const std::uint16_t site = sites_.number(pc, op, space::shared);
  log(site, address - range.begin, bytes);
  if (sampled_) return;
  const shadow_access shared{thread_ + 1, block_ + 1, site, op, space::shared, 15};
  if (!is_usual(range.cells.data(), false, address - range.begin, bytes, shared))
    check(range, address, bytes, site, op);
}

LAB_INLINED void tracer::watched_access(std::uintptr_t address, unsigned bytes, operation op, const void* pc) {
  if (suspicion_.open) settle();
  last_pc_ = pc;
  if (address - arena_begin < arena_end - arena_begin) return global_access(address, bytes, op, pc);
  for (auto& s : shared_)
    if (address - s.begin < s.end - s.begin) return shared_access(s, address, bytes, op, pc);
  other_access(address, bytes, op, pc);
}

LAB_INLINED void tracer::access(std::uintptr_t address, unsigned bytes, operation op, const void* pc) {
  if (only_coverage_) return cover(address, op, pc);
  watched_access(address, bytes, op, pc);
}

}  // namespace lab::sim
