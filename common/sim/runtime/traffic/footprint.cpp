#include "sim/runtime/traffic/footprint.hpp"

#include <sys/mman.h>

namespace lab::sim {

void sector_notes::start(std::uintptr_t begin, std::size_t bytes) {
  first_ = begin / 32;
  sum_ = {begin, bytes};
  ++launch_;
  if (notes_) return;
  const std::size_t size = (bytes / 32 + 2) * sizeof(note);
  void* const all = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return;
  madvise(all, size, MADV_HUGEPAGE);  // a thread that goes down a column needs another page for each row
  notes_ = {static_cast<note*>(all), [size](note* old) { munmap(old, size); }};
}

}  // namespace lab::sim
