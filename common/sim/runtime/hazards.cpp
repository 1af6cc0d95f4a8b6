#include "hazards.hpp"

#include <algorithm>
#include <utility>

#include "trace_sites.hpp"

namespace lab::sim {

namespace {

int rank(const std::string& severity) { return severity == "error" ? 2 : severity == "warning" ? 1 : 0; }

std::string words(const void* pc) {
  if (!pc) return "";
  const source_line at = line_of(pc);
  return at.file + ":" + std::to_string(at.line);
}

// What is told is the worst: its words, its threads.
void merge(hazard& known, hazard h) {
  h.count += known.count;
  if (rank(h.severity) > rank(known.severity)) std::swap(known, h);
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

void hazard_list::raise(std::size_t i, const std::string& severity) {
  if (rank(severity) > rank(all_[i].severity)) all_[i].severity = severity;
}

std::vector<hazard> hazard_list::by_line() const {
  std::vector<hazard> merged;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> known;
  for (const auto& h : all_) {
    auto here = words(h.pc), there = words(h.other_pc);
    if (h.kind == "divergent_barrier" && here == there) continue;  // one barrier that the compiler doubled
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
