#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// Asynchronous copies to shared memory. The copy reads and counts where it begins. From there until its thread waits
// for it, or its arrival at a barrier is due, no thread may access its bytes. It writes when it begins and when it
// arrives, because it may write at either time.

namespace lab::sim {

template <class F>
void tracer::each_cell(std::uintptr_t address, unsigned bytes, F f) {
  for (auto& s : shared_)
    if (address - s.begin < s.end - s.begin)
      for (auto cell = (address - s.begin) / 4; cell * 4 < address - s.begin + bytes; ++cell) f(s.cells[cell]);
}

void tracer::copy_begins(std::uintptr_t to, std::uintptr_t from, unsigned bytes, unsigned zeros, const void* pc) {
  if (zeros == 0)
    access(from, bytes, operation::load, pc);
  else if (zeros < bytes)
    range(from, bytes - zeros, operation::load, pc);
  if (sampled_ || only_coverage_) return access(to, bytes, operation::store, pc);
  std::uint8_t had[4] = {};
  std::size_t i = 0;
  each_cell(to, bytes, [&](const shadow_cell& c) { had[i++ % 4] = c.interval < clock_.block_start ? 0 : c.has_value; });
  access(to, bytes, operation::store, pc);
  i = 0;
  engines_.copies.push_back({thread_, pc, to, bytes});
  each_cell(to, bytes, [&](shadow_cell& c) {
    c.has_value = had[i++ % 4] & 15;
    c.history = static_cast<std::uint32_t>(engines_.copies.size());
  });
}

void tracer::copy_arrives(std::uintptr_t to, unsigned bytes, const void* pc) {
  if (only_coverage_ || sampled_) return;
  each_cell(to, bytes, [](shadow_cell& c) { c.history = 0; });
  if (++engines_.arrived == engines_.copies.size()) engines_.copies.clear(), engines_.arrived = 0;
  last_pc_ = pc;
  const std::uint16_t site = sites_.number(pc, operation::store, space::shared);
  for (auto& s : shared_)
    if (to - s.begin < s.end - s.begin)
      check({s.cells.data(), s.cells.size(), s.bytes_cells, false}, to - s.begin, to, bytes,
            {thread_ + 1, block_ + 1, site, operation::store, space::shared, 15});
}

void tracer::forget_copies() {
  for (const auto& c : engines_.copies) each_cell(c.to, c.bytes, [](shadow_cell& cell) { cell.history = 0; });
  engines_.copies.clear();
  engines_.arrived = 0;
  engines_.products.clear();
}

void tracer::meets_copy(shared_range& range, std::uintptr_t address, unsigned bytes, operation op, const void* pc) {
  for (auto cell = (address - range.begin) / 4; cell * 4 < address - range.begin + bytes; ++cell) {
    auto& number = range.cells[cell].history;
    if (number == 0) continue;
    const auto& copy = engines_.copies[number - 1];
    const uint3 index = index_of(copy.thread);
    const char* const verb = op == operation::load ? "reads" : "writes";
    report({hazard_kind::race, severity::error, kernel_, engines,
            location(address) + ": this thread " + verb + " what an asynchronous copy of thread (" +
                std::to_string(index.x) + ", " + std::to_string(index.y) + ", " + std::to_string(index.z) +
                ") may still be writing; " +
                (copy.of_box
                     ? "this thread has not waited for the barrier of the copy"
                     : "neither has that thread waited for the copy, nor this one for a barrier at which it arrives"),
            pc, copy.pc, blockIdx, threadIdx});
    each_cell(copy.to, copy.bytes, [](shadow_cell& c) { c.history = 0; });  // reported once
    return;
  }
}

}  // namespace lab::sim
