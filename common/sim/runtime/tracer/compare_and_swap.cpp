#include <algorithm>

#include "sim/runtime/tracer/tracer.hpp"

// The loop of the CUDA C++ Programming Guide begins with a plain read:
//   old = *p; do { expected = old; old = atomicCAS(p, expected, next(expected)); } while (old != expected);
// The read races with the atomic accesses of other threads. That is harmless, because atomicCAS compares.

namespace lab::sim {

void tracer::doubt(doubtful_read one) { doubtful_reads_.push_back(std::move(one)); }

void tracer::compared(std::uintptr_t address, unsigned bytes, std::uint64_t expected) {
  if (only_coverage_) return;
  std::erase_if(doubtful_reads_, [&](const doubtful_read& d) {
    const bool harmless = d.thread == thread_ + 1 && d.address == address && (!d.value_known || d.value == expected);
    if (harmless) compared_later_.insert(d.site);
    return harmless;
  });
  forget_own_read(address, bytes);
}

// Later atomic accesses do not race with a read that this thread has compared.
void tracer::forget_own_read(std::uintptr_t address, unsigned bytes) {
  shadow_cell* cells = nullptr;
  std::uintptr_t offset = 0;
  for (auto& s : shared_)
    if (address - s.begin < s.end - s.begin) cells = s.cells.data(), offset = address - s.begin;
  if (!cells)
    if (const region* const r = region_of(address)) cells = r->cells, offset = address - r->begin;
  if (!cells) return;
  for (auto cell = offset / 4; cell * 4 < offset + bytes; ++cell) {
    auto& c = cells[cell];
    if (thread_of(c.reader2) == thread_ + 1) c.reader2 = 0;
    if (thread_of(c.reader) == thread_ + 1) c.reader = c.reader2, c.reader2 = 0;
  }
}

// Some threads find at their first read that they have nothing to do, such as those of a maximum.
void tracer::settle_doubtful_reads() {
  for (auto& d : doubtful_reads_)
    if (!compared_later_.contains(d.site)) report(std::move(d.what));
  doubtful_reads_.clear();
}

}  // namespace lab::sim
