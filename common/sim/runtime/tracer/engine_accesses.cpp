#include <algorithm>

#include "sim/runtime/tracer/tracer.hpp"

// What copies by TMA and products of warpgroups do in memory. No thread may access the bytes of a box in shared memory
// from where its copy begins until it has arrived. No thread and no copy may write what a product still reads.

namespace lab::sim {

// Checked like a thread's loads, but no warp's request: Nsight Compute counts the copy at no line.
void tracer::box_reads(std::uintptr_t from, std::size_t bytes, const void* pc) {
  if (only_coverage_) return cover(from, operation::load, pc);
  if (suspicion_.open) settle();
  last_pc_ = pc;
  note_place(pc, operation::load, space::global);
  launches_.back().box_bytes += bytes;
  in_pieces(from, bytes, [&](std::uintptr_t at, unsigned piece) {
    if (at - arena_begin >= arena_end - arena_begin) return other_access(at, piece, operation::load, pc);
    global_access<false>(at, piece, operation::load, pc);
  });
}

void tracer::box_begins(std::uintptr_t to, unsigned bytes, const void* pc) {
  if (only_coverage_) return cover(to, operation::store, pc);
  last_pc_ = pc;
  note_place(pc, operation::store, space::shared);
  for (auto& s : shared_) {
    if (to - s.begin >= s.end - s.begin) continue;
    if (to - s.begin + bytes > s.usable) beyond_dynamic(to, bytes);
    if (sampled_) continue;
    if (!engines_.copies.empty()) meets_copy(s, to, bytes, operation::store, pc);
    if (!engines_.products.empty()) meets_product(to, bytes, pc);
    engines_.copies.push_back({thread_, pc, to, bytes, true});
    for (auto cell = (to - s.begin) / 4; cell * 4 < to - s.begin + bytes; ++cell)
      s.cells[cell].history = static_cast<std::uint32_t>(engines_.copies.size());
  }
}

void tracer::box_arrives(std::uintptr_t to, unsigned bytes) {
  if (only_coverage_ || sampled_) return;
  for (auto& s : shared_)
    for (auto cell = (to - s.begin) / 4; to - s.begin < s.end - s.begin && cell * 4 < to - s.begin + bytes; ++cell) {
      s.cells[cell] = {};
      s.cells[cell].interval = clock_.now;
      s.cells[cell].has_value = 15;
    }
  if (++engines_.arrived == engines_.copies.size()) engines_.copies.clear(), engines_.arrived = 0;
}

void tracer::product_reads(std::uintptr_t address, const void* pc) {
  if (only_coverage_) return cover(address, operation::load, pc);
  last_pc_ = pc;
  note_place(pc, operation::load, space::shared);
  for (auto& s : shared_) {
    if (address - s.begin >= s.end - s.begin) continue;
    if (address - s.begin + 16 > s.usable) beyond_dynamic(address, 16);
    if (!engines_.copies.empty()) meets_copy(s, address, 16, operation::load, pc);
    for (auto cell = (address - s.begin) / 4; cell * 4 < address - s.begin + 16; ++cell) {
      auto& c = s.cells[cell];
      const bool of_block = c.interval >= clock_.block_start;
      if (of_block && c.write_mask && c.interval > engines_.proxies_fenced_at)
        not_ordered(location(s.begin + cell * 4) +
                        ": a product reads what a thread has written, and no fence.proxy.async is between them",
                    pc, sites_[c.write_site].pc);
      if (of_block && c.write_mask) c.write_mask = 0;  // reported once
      if (of_block && (c.has_value == 15 || c.history)) continue;
      report({hazard_kind::uninitialized_read, severity::error, kernel_, engines,
              location(s.begin + cell * 4) + " is read by a product before a copy or a thread has written it", pc,
              nullptr, blockIdx, threadIdx});
      c.interval = clock_.now;
      c.has_value = 15;
    }
  }
  auto& one = engines_.products[address / 16];
  ++one.count;
  one.pc = pc;
}

void tracer::product_is_done_with(std::uintptr_t address) {
  const auto found = engines_.products.find(address / 16);
  if (found != engines_.products.end() && --found->second.count == 0) engines_.products.erase(found);
}

void tracer::meets_product(std::uintptr_t address, unsigned bytes, const void* pc) {
  for (auto piece = address / 16; piece * 16 < address + bytes; ++piece) {
    const auto found = engines_.products.find(piece);
    if (found == engines_.products.end()) continue;
    not_ordered(location(piece * 16) +
                    ": this thread writes what a product of a warpgroup may still be reading; the "
                    "warpgroup has not waited for the product",
                pc, found->second.pc);
    engines_.products.clear();  // reported once
    return;
  }
}

// A block that stopped with an error has not come to its waits.
void tracer::block_ends() {
  const auto first = std::ranges::min_element(engines_.products, {}, [](const auto& one) { return one.first; });
  if (first != engines_.products.end() && !has_stopped_)
    not_ordered(
        "the block ends, but no wgmma.wait_group has waited for this product, or no wgmma.commit_group has closed its "
        "group",
        first->second.pc, nullptr);
  next_interval();
  if (sampled_) compare_block();
}

void tracer::not_ordered(const std::string& what, const void* pc, const void* other_pc) {
  report({hazard_kind::race, severity::error, kernel_, engines, what, pc, other_pc, blockIdx, threadIdx});
}

}  // namespace lab::sim
