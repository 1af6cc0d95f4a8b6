#include "sim/runtime/traffic/warp_log.hpp"

#include <algorithm>
#include <bit>

#include "sim/runtime/traffic/access_cost.hpp"

namespace lab::sim {

std::uint32_t warp_log::find(unsigned lane, std::uint16_t site, const call_path& path, unsigned bytes) {
  const auto fresh = static_cast<std::uint32_t>(executed().size());
  const auto key = key_of(site, path);
  const auto [at, is_new] = first_.try_emplace(key, fresh);
  if (!is_new) {
    std::uint32_t i = at->second;
    while ((all_[i].mask >> lane & 1) && all_[i].next_alike != 0) i = all_[i].next_alike;
    if (!(all_[i].mask >> lane & 1)) return i;
    all_[i].next_alike = fresh;
  }
  auto& made = all_.back();
  made.key = key;
  made.mask = 0;
  made.site = site;
  made.bytes = static_cast<std::uint8_t>(bytes);
  made.repeated = path.repeating();
  all_.push_back(no_instruction());
  return fresh;
}

// nvcc unrolls a loop over neighboring words of shared memory and loads 16 bytes at a time, where it knows that they
// are aligned: a row of the array begins at a multiple of 16 bytes. Four instructions of one site count as one if every
// lane goes on by one word.
void warp_log::count_merged(site_table& sites) {
  struct run {
    const instruction* first = nullptr;
    const instruction* last = nullptr;
    unsigned length = 0, requests = 0;
    std::uint64_t wavefronts = 0;
  };
  std::unordered_map<std::uint16_t, run> runs;
  const auto end = [&](std::uint16_t number, run& r) {
    sites[number].merged_wavefronts += r.wavefronts;
    sites[number].merged_requests += r.requests;
    r = {};
  };
  for (const auto& i : executed()) {
    const site& s = sites[i.site];
    if (s.where != space::shared || s.op != operation::load) continue;
    const auto [at, begins] = runs.try_emplace(i.site);
    auto& r = at->second;
    const auto aligned = [&] {
      for (unsigned l = 0; l < 32; ++l)
        if ((i.mask >> l & 1) && i.address[l] % 16 != 0) return false;
      return i.bytes == 4;
    };
    if (begins && !aligned()) sites[i.site].unaligned = true;
    const auto follows = [&] {
      if (r.length == 0 || r.last->mask != i.mask || i.bytes != 4) return false;
      for (unsigned l = 0; l < 32; ++l)
        if ((i.mask >> l & 1) && i.address[l] != r.last->address[l] + 4) return false;
      return true;
    };
    if (r.length > 0 && !follows()) end(i.site, r);
    if (r.length == 0 && !aligned()) {
      sites[i.site].merged_wavefronts += i.wavefronts;
      ++sites[i.site].merged_requests;
      continue;
    }
    if (r.length == 0) r.first = &i;
    r.last = &i;
    r.wavefronts += i.wavefronts;
    ++r.requests;
    if (++r.length < 4) continue;
    r.requests = 1;
    r.wavefronts = shared_cost({r.first->mask, 16, r.first->address}, true).wavefronts;
    end(i.site, r);
  }
  for (auto& [number, r] : runs)
    if (r.length > 0) end(number, r);
}

void warp_log::flush(site_table& sites, bool merges) {
  if (executed().empty()) return;
  for (auto& i : executed()) {
    site& s = sites[i.site];
    const warp_access access{i.mask, i.bytes, i.address};
    ++s.requests;
    s.repeated |= i.repeated;
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
      if (merges) s.cache_lines += cache_lines(access);
      if (merges && s.op == operation::load) s.merged_wavefronts += shared_cost(access, true).wavefronts;
    } else if (s.where == space::constant) {
      s.wavefronts += distinct_addresses(access);
      ++s.wavefronts_ideal;
    } else {
      const auto cost = shared_cost(access, s.op == operation::load);
      i.wavefronts = cost.wavefronts;
      s.wavefronts += cost.wavefronts;
      s.wavefronts_ideal += cost.ideal;
      s.conflicts += cost.conflicts;
    }
  }
  if (merges) count_merged(sites);
  all_.assign(1, no_instruction());
  first_.clear();
  std::ranges::fill(cursor_, 0u);
}

}  // namespace lab::sim
