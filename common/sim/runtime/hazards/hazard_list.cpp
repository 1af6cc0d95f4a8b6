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

// The report shows the most severe of several equal hazards.
void merge(hazard& known, hazard found) {
  found.count += known.count;
  if (found.level > known.level) std::swap(known, found);
  known.count = std::max(known.count, found.count);
}

}  // namespace

std::size_t hazard_list::add(hazard found) {
  const auto [low, high] = std::minmax(found.pc, found.other_pc);
  const auto [at, is_new] = known_.try_emplace({found.kind, found.kernel, low, high}, all_.size());
  if (is_new)
    all_.push_back(std::move(found));
  else
    merge(all_[at->second], std::move(found));
  return at->second;
}

void hazard_list::raise(std::size_t index, severity level) { all_[index].level = std::max(all_[index].level, level); }

std::vector<hazard> hazard_list::by_line() const {
  std::vector<hazard> merged;
  std::map<std::tuple<hazard_kind, std::string, std::string, std::string>, std::size_t> known;
  for (const auto& h : all_) {
    auto here = words(h.pc), there = words(h.other_pc);
    if (h.kind == hazard_kind::divergent_barrier && here == there && !place_at(h.pc))
      continue;  // the compiler's copies
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
