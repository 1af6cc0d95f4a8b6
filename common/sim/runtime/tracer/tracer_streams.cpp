#include <algorithm>

#include "sim/runtime/streams/stream_order.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// Races between operations in streams that nothing orders.

namespace lab::sim {

namespace {

const char* verb_of(operation op) {
  return op == operation::load ? "reads" : op == operation::store ? "writes" : "atomically changes";
}

}  // namespace

void tracer::moved(std::uintptr_t address, std::size_t bytes, operation op, const void* pc) {
  const region* const r = region_of(address);
  if (!r || only_coverage_ || sampled_) return;
  histories_.start(order::current());
  const std::uintptr_t begin = address - r->begin, end = std::min(begin + bytes, r->bytes);
  shadow_access access{0, 0, sites_.number(pc, op, r->where), op, r->where, 15};
  for (std::uintptr_t cell = begin / 4; cell * 4 < end; ++cell) {
    shadow_cell& c = r->cells[cell];
    access.mask = bytes_of_cell(begin, cell, end - begin);
    follow_streams(c, access, std::max(address, r->begin + cell * 4), 0);
    if (op == operation::store) c.has_value = 15 & (c.has_value | access.mask);
  }
}

bool tracer::extend_history(shadow_cell& cell, shadow_access access, std::uintptr_t address, unsigned bytes) {
  const auto found = histories_.add(cell.history, access.site, access.op, access.mask,
                                    [](std::uint64_t by) { return order::before_current(by); });
  cell.history = found.next;
  if (found.conflicts) stream_race(found.other, access, address, bytes);
  return found.conflicts;
}

// `bytes` is 0 for a copy or a fill, which no thread does.
void tracer::stream_race(const past_access& other, shadow_access access, std::uintptr_t address, unsigned bytes) {
  if (after_fault_) return;
  const bool kernel = bytes > 0;
  const bool same_verb = access.op == other.op;
  const bool both_write = kernel && access.op != operation::load && other.op != operation::load;
  const std::string what =
      location(address) + ": this " + (kernel ? "thread, in " : "call, in ") + order::place_of(order::current()) +
      ", " + verb_of(access.op) + " what work in " + order::place_of(other.by) + (same_verb ? " also " : " ") +
      verb_of(other.op) + "; nothing orders the two: record an event after one and let the other stream wait for it, " +
      "or make both accesses atomic";
  const site& mine = sites_[access.site];
  hazard found{hazard_kind::race, severity::error, "", "global", what, mine.pc, sites_[other.site].pc, dim3(0, 0, 0)};
  if (both_write) found.level = severity::info;
  if (kernel) found.kernel = kernel_, found.block = blockIdx, found.thread = threadIdx;
  const std::size_t hazard = report(std::move(found));
  if (both_write) suspect(hazard, address, bytes, access.op);
}

}  // namespace lab::sim
