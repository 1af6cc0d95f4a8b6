#include "sim/runtime/tracer/tracer.hpp"

// What an access means for the cells of shadow memory, where that is not as usual.

namespace lab::sim {

// `whole` is the cell of all four bytes, `cell` the same one or that of one byte. Returns whether there is a race.
LAB_INLINED bool tracer::check_cell(shadow_cell& cell, shadow_cell& whole, shadow_access access, std::uintptr_t address,
                                    unsigned bytes, bool raced) {
  if (access.where != space::shared && first_of_operation(cell, access, clock_))
    raced = follow_streams(whole, access, address, bytes) || raced;
  conflict found;
  if (note_access(cell, access, clock_, found) && !raced)
    race(found, address, bytes, access.op, access.site), raced = true;
  return raced;
}

// Threads that access different bytes of one cell do not meet. The cell of all four follows for what asks about it.
LAB_INLINED bool tracer::check_bytes(shadow_cell& whole, shadow_cell* parts, shadow_access access,
                                     std::uintptr_t address, unsigned bytes, bool raced) {
  const unsigned mask = access.mask;
  if (!is_split(whole, access.where, clock_)) {
    if (whole.interval < (access.where == space::shared ? clock_.block_start : clock_.launch_start))
      shadow_rules::clear_history(whole, access.where);
    split(whole, parts);
  }
  for (unsigned b = 0; b < 4; ++b) {
    if (!(mask >> b & 1)) continue;
    access.mask = static_cast<std::uint8_t>(1u << b);
    parts[b].has_value = whole.has_value & 15;
    if (!adds_nothing(parts[b], access, clock_)) raced = check_cell(parts[b], whole, access, address, bytes, raced);
  }
  access.mask = static_cast<std::uint8_t>(mask);
  conflict ignored;
  note_access(whole, access, clock_, ignored);
  whole.split = 1;
  return raced;
}

LAB_INLINED void tracer::check_cells(shadow_view shadow, std::uintptr_t offset, std::uintptr_t address, unsigned bytes,
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

// The operation is constant in each case, so the compiler resolves most branches.
void tracer::check(shadow_view shadow, std::uintptr_t offset, std::uintptr_t address, unsigned bytes,
                   shadow_access access) {
  const auto as = [&](operation op) __attribute__((always_inline)) {
    access.op = op;
    check_cells(shadow, offset, address, bytes, access);
  };
  access.op == operation::load    ? as(operation::load)
  : access.op == operation::store ? as(operation::store)
                                  : as(operation::atomic);
}

void tracer::check(const region& area, std::uintptr_t address, unsigned bytes, std::uint16_t site, operation op) {
  check({area.cells, area.bytes / 4 + 2, area.bytes_cells, area.host_writes}, address - area.begin, address, bytes,
        {thread_ + 1, block_ + 1, site, op, area.where, 15});
}

void tracer::check(shared_range& range, std::uintptr_t address, unsigned bytes, std::uint16_t site, operation op) {
  check({range.cells.data(), range.cells.size(), range.bytes_cells, false}, address - range.begin, address, bytes,
        {thread_ + 1, block_ + 1, site, op, space::shared, 15});
}

}  // namespace lab::sim
