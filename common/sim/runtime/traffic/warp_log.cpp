#include "sim/runtime/traffic/warp_log.hpp"

#include <algorithm>
#include <bit>

#include "sim/runtime/traffic/access_cost.hpp"

namespace lab::sim {

std::uint32_t warp_log::find(unsigned lane, std::uint64_t key, std::uint16_t site, unsigned bytes) {
  const auto fresh = static_cast<std::uint32_t>(all_.size());
  const auto [at, is_new] = first_.try_emplace(key, fresh);
  if (!is_new) {
    std::uint32_t i = at->second;
    while ((all_[i].mask >> lane & 1) && all_[i].next_alike != 0) i = all_[i].next_alike;
    if (!(all_[i].mask >> lane & 1)) return i;
    all_[i].next_alike = fresh;
  }
  auto& made = all_.emplace_back();
  made.key = key;
  made.site = site;
  made.bytes = static_cast<std::uint8_t>(bytes);
  return fresh;
}

void warp_log::flush(site_table& sites) {
  for (const auto& i : all_) {
    site& s = sites[i.site];
    const warp_access access{i.mask, i.bytes, i.address};
    ++s.requests;
    const auto lanes = static_cast<unsigned>(std::popcount(i.mask));
    s.lanes += lanes;
    s.sample.offer(access, lanes);
    if (s.op == operation::atomic) {
      s.addresses += distinct_addresses(access);
      s.crowd = std::max<std::uint64_t>(s.crowd, largest_crowd(access));
    }
    if (s.where == space::global) {
      const auto cost = global_cost(access);
      s.sectors += cost.sectors;
      s.sectors_ideal += cost.ideal;
    } else if (s.where == space::constant) {
      s.wavefronts += distinct_addresses(access);
      ++s.wavefronts_ideal;
    } else {
      const auto cost = shared_cost(access, s.op == operation::load);
      s.wavefronts += cost.wavefronts;
      s.wavefronts_ideal += cost.ideal;
      s.conflicts += cost.conflicts;
    }
  }
  all_.clear();
  first_.clear();
  std::ranges::fill(cursor_, 0u);
}

}  // namespace lab::sim
