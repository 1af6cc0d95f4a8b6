#include <algorithm>

#include "sim/labcc/loops/plan.hpp"

// Code of before Volta lets the lanes of a warp exchange values through volatile memory without a barrier. A loop over
// threads would run the lanes one after another. So each loop may only read volatile memory, or only write it.

namespace lab::sim::loops {

// Whether the token is all that another such pointer gets.
bool plan::binds_pointer(std::size_t t) const {
  return std::ranges::any_of(variables_.all(), [&](const variable& v) {
    return v.is_volatile && v.initializer.first == t && v.initializer.end == t + 1;
  });
}

void plan::require_no_exchange(const variable& v, std::vector<char>& accesses) {
  for (const auto t : v.uses) {
    if (binds_pointer(t)) continue;
    const std::size_t f = fragment_of(t);
    if (f == c_.npos || c_.words(t + 1) != "[" || c_.is_directive(t)) throw declined{};
    const std::size_t after = c_.closing(t + 1) + 1;
    const bool writes = c_.assigns(after), both = c_.is_stepped_before(t) || (writes && c_.words(after) != "=");
    const char access = writes ? 'w' : 'r';
    if (both || (accesses[f] != 0 && accesses[f] != access)) throw declined{};
    accesses[f] = access;
  }
}

void plan::require_no_exchange() {
  for (std::size_t t = body_.first; t < body_.end; ++t) {
    if (c_.words(t) != "volatile") continue;
    const bool of_pointer = std::ranges::any_of(variables_.all(), [&](const variable& v) {
      return v.type.contains(t) && v.pointer == "*" && !v.is_array() && !v.shared && !v.reference && v.changes.empty();
    });
    if (!of_pointer) throw declined{};
  }
  std::vector<char> accesses(fragments_.size(), 0);
  for (const auto& v : variables_.all())
    if (v.is_volatile) require_no_exchange(v, accesses);
  for (std::size_t f = 0; f < fragments_.size(); ++f)  // it may wait for another thread's write
    for (std::size_t t = fragments_[f].all().first; accesses[f] == 'r' && t < fragments_[f].all().end; ++t)
      if (is_one_of(c_.words(t), {"for", "while", "do"})) throw declined{};
}

}  // namespace lab::sim::loops
