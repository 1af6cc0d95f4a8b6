#include "sim/runtime/hazards/hazard_list.hpp"

#include <algorithm>
#include <utility>

#include "sim/runtime/symbols/source_lines.hpp"

namespace lab::sim {

namespace {

std::string words(const void* pc) {
  if (!pc) return "";
  const source_line at = line_of(pc);
  return at.file + ":" + std::to_string(at.line);
}

// What is told is the worst: its words, its threads.
void merge(hazard& known, hazard h) {
  h.count += known.count;
  if (h.level > known.level) std::swap(known, h);
  known.count = std::max(known.count, h.count);
}

}  // namespace

std::size_t hazard_list::add(hazard h) {
  const auto [low, high] = std::minmax(h.pc, h.other_pc);
  const auto [at, is_new] = known_.try_emplace({h.kind, h.kernel, low, high}, all_.size());
  if (is_new)
    all_.push_back(std::move(h));
  else
    merge(all_[at->second], std::move(h));
  return at->second;
}

void hazard_list::raise(std::size_t i, severity level) { all_[i].level = std::max(all_[i].level, level); }

std::vector<hazard> hazard_list::by_line() const {
  std::vector<hazard> merged;
  std::map<std::tuple<hazard_kind, std::string, std::string, std::string>, std::size_t> known;
  for (const auto& h : all_) {
    auto here = words(h.pc), there = words(h.other_pc);
    if (h.kind == hazard_kind::divergent_barrier && here == there) continue;  // one barrier that the compiler doubled
    if (there < here) std::swap(here, there);
    const auto [at, is_new] = known.try_emplace({h.kind, h.kernel, here, there}, merged.size());
    if (is_new) {
      merged.push_back(h);
      continue;
    }
    merge(merged[at->second], h);
  }
  return merged;
}

}  // namespace lab::sim
