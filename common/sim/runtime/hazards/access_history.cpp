#include "sim/runtime/hazards/access_history.hpp"

#include <algorithm>

namespace lab::sim {

bool access_histories::conflict(const past_access& a, const past_access& b) {
  if (!(a.mask & b.mask)) return false;
  return a.op == operation::atomic ? b.op != operation::atomic : a.op == operation::store || b.op != operation::load;
}

// A conflict with a read is one whatever the values are; two writes may write the same.
bool access_histories::worse(const past_access& other, const outcome& found) {
  return !found.conflicts || (found.other.op != operation::load && other.op == operation::load);
}

// What a later operation can still be unordered with, although it follows the fresh access.
void access_histories::keep(std::vector<past_access>& kept, past_access a, const past_access& fresh, bool ordered) {
  const bool replaced = fresh.op == operation::store || (ordered && a.op == fresh.op);
  if (replaced) a.mask = static_cast<std::uint8_t>(a.mask & ~fresh.mask);
  if (a.mask != 0) kept.push_back(a);
}

std::uint32_t access_histories::number_of(std::vector<past_access> accesses) {
  std::ranges::sort(accesses);
  const auto [at, is_new] = numbers_.try_emplace(std::move(accesses), static_cast<std::uint32_t>(all_.size()));
  if (is_new) all_.push_back(at->first);
  return at->second;
}

}  // namespace lab::sim
