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

LAB_INLINED void tracer::access(std::uintptr_t address, unsigned bytes, operation op, const void* pc) {
  if (only_coverage_) return cover(address, op, pc);
  if (suspicion_.open) settle();
  last_pc_ = pc;
  if (address - arena_begin < arena_end - arena_begin) return global_access(address, bytes, op, pc);
  for (auto& s : shared_)
    if (address - s.begin < s.end - s.begin) return shared_access(s, address, bytes, op, pc);
  other_access(address, bytes, op, pc);
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

template <bool by_thread>
LAB_INLINED void tracer::global_access(std::uintptr_t address, unsigned bytes, operation op, const void* pc) {
  const bool same_region = last_region_ && address - last_region_->begin < last_region_->bytes;
  const region* const r = same_region ? last_region_ : region_of(address);
  if (!r || address - r->begin + bytes > r->bytes) outside(r, address, bytes, pc);
  if (address & (bytes - 1)) misaligned(address, bytes);
  if (r->where == space::constant && op != operation::load) constant_write(address);
  if (op == operation::atomic) ++atomics_[address], block_used_atomics_ = true;
  (op == operation::load ? r->read : r->written) = true;
  const std::uint16_t site = sites_.number(pc, op, r->where);
  if (op == operation::atomic) sites_[site].of_system = of_system_;
  if constexpr (by_thread) log(site, address, bytes);
  if (sampled_) {
    if (r->where == space::global) r->notes.add(address, bytes, op, block_);
    return;
  }
  check({r->cells, r->bytes / 4 + 2, r->bytes_cells, r->host_writes}, address - r->begin, address, bytes,
        {thread_ + 1, block_ + 1, site, op, r->where, 15});
}

LAB_INLINED void tracer::shared_access(shared_range& range, std::uintptr_t address, unsigned bytes, operation op,
                                       const void* pc) {
  if (address - range.begin + bytes > range.usable) beyond_dynamic(address, bytes);
  if (address & (bytes - 1)) stopped_in_ = "shared", misaligned(address, bytes);
  if (op == operation::atomic) block_used_atomics_ = true;
  if (!copies_in_flight_.empty()) meets_copy(range, address, bytes, op, pc);
  if (!products_.empty() && op != operation::load) meets_product(address, bytes, pc);
  const std::uint16_t site = sites_.number(pc, op, space::shared);
  log(site, address - range.begin, bytes);
  if (sampled_) return;
  check({range.cells.data(), range.cells.size(), range.bytes_cells, false}, address - range.begin, address, bytes,
        {thread_ + 1, block_ + 1, site, op, space::shared, 15});
}

// Returns whether an operation that nothing orders with the current one accessed these bytes in a way that conflicts.
LAB_INLINED bool tracer::follow_streams(shadow_cell& cell, const shadow_access& access, std::uintptr_t address,
                                        unsigned bytes) {
  const std::uint32_t* const next = histories_.known(cell.history, access.site, access.mask);
  if (!next) return extend_history(cell, access, address, bytes);
  cell.history = *next;
  return false;
}

// `whole` is the cell of all four bytes, `cell` the same one or that of one byte. Returns whether there is a race.
LAB_INLINED bool tracer::check_cell(shadow_cell& cell, shadow_cell& whole, const shadow_access& access,
                                    std::uintptr_t address, unsigned bytes, bool raced) {
  if (access.where != space::shared && first_of_operation(cell, access, clock_))
    raced = follow_streams(whole, access, address, bytes) || raced;
  conflict found;
  if (note_access(cell, access, clock_, found) && !raced)
    race(found, address, bytes, access.op, access.site), raced = true;
  return raced;
}

LAB_INLINED void tracer::check(shadow_view shadow, std::uintptr_t offset, std::uintptr_t address, unsigned bytes,
                               shadow_access access) {
  bool raced = false;
  shadow_cell* empty = nullptr;
  for (std::uintptr_t cell = offset / 4; cell * 4 < offset + bytes; ++cell) {
    shadow_cell& c = shadow.cells[cell];
    if (bytes < 4) access.mask = bytes_of_cell(offset, cell, bytes);
    shadow_cell* mine = &c;
    if (bytes < 4 || (c.split && is_split(c, access.where, clock_))) {
      mine = shadow.bytes.of(cell, shadow.count);
      raced = check_bytes(c, mine, access, address, bytes, raced);
    } else {
      if (adds_nothing(c, access, clock_)) continue;
      raced = check_cell(c, c, access, address, bytes, raced);
    }
    const bool reads = access.op == operation::load || (access.op == operation::atomic && !overwrites_);
    if (const unsigned without = access.mask & ~c.has_value; reads && !shadow.has_values && without) {
      empty = mine == &c ? mine : mine + __builtin_ctz(without);
      c.has_value = 15;  // reported once
    }
    if (access.op == operation::atomic) c.has_value = (c.has_value | access.mask) & 15;
  }
  if (empty) without_value(*empty, address, access.op, access.site);
}

}  // namespace lab::sim
