#include <algorithm>

#include "sim/labcc/loops/plan.hpp"

// Which declarations may be repeated in each loop, because their values depend on nothing that changes.

namespace lab::sim::loops {

// Whether `need` keeps its value as long as `v` lives.
bool plan::is_fixed_for(const variable& need, const variable& v) {
  if (need.shared) return need.is_array();
  if (need.address_taken) return false;
  if (need.changes.empty() && (need.parameter || is_of_block(need))) return true;
  if (!is_of_block(need)) return need.changes.empty() && may_repeat(need);
  return std::ranges::all_of(need.changes, [&](std::size_t change) {
    return std::ranges::any_of(loops_, [&](const statement* loop) {
      return loop->header.contains(change) && loop->inner[0].all.contains(v.declaration.first);
    });
  });
}

bool plan::may_repeat(const variable& v) {
  if (v.parameter || v.shared || v.is_array() || v.reference || v.address_taken) return false;
  if (!v.changes.empty() || !v.has_initializer() || v.loop.end > 0) return false;
  const auto n = variables_.of(v.initializer);
  if (!n.pure) return false;
  for (const auto* need : n.needs)
    if (need == &v || !is_fixed_for(*need, v)) return false;
  needs_[&v] = n.needs;
  return true;
}

void plan::find_repeated() {
  for (const auto& v : variables_.all())
    if (!is_of_block(v) && may_repeat(v)) repeated_.insert(&v);
  // A declaration is repeated as a whole.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& v : variables_.all()) {
      if (!repeated_.contains(&v)) continue;
      const bool others = std::ranges::all_of(variables_.all(), [&](const variable& other) {
        return other.parameter || other.declaration.first != v.declaration.first || repeated_.contains(&other);
      });
      const bool needs = std::ranges::all_of(needs_[&v], [&](const variable* need) {
        return need->parameter || need->shared || is_of_block(*need) || repeated_.contains(need);
      });
      if (!others || !needs) repeated_.erase(&v), changed = true;
    }
  }
}

}  // namespace lab::sim::loops
