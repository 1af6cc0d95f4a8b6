#include "hazards.hpp"

#include <algorithm>

namespace lab::sim {

namespace {

int rank(const std::string& severity) { return severity == "error" ? 2 : severity == "warning" ? 1 : 0; }

}  // namespace

std::size_t hazard_list::add(hazard h) {
  const auto [low, high] = std::minmax(h.pc, h.other_pc);
  const auto [at, is_new] = known_.try_emplace({h.kind, h.kernel, low, high}, all_.size());
  if (is_new) {
    all_.push_back(std::move(h));
  } else {
    ++all_[at->second].count;
    raise(at->second, h.severity);
  }
  return at->second;
}

void hazard_list::raise(std::size_t i, const std::string& severity) {
  if (rank(severity) > rank(all_[i].severity)) all_[i].severity = severity;
}

}  // namespace lab::sim
