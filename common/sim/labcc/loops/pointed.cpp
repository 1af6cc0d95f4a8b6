#include "sim/labcc/loops/plan.hpp"

// Which variables pointers that live longer than one loop may point at.

namespace lab::sim::loops {

// Arrays and members of structures may become pointers without an ampersand.
void plan::find_pointed(range tokens) {
  for (std::size_t t = tokens.first; t < tokens.end; ++t) {
    auto* const v = variables_.at(t);
    if (!v || v->shared || !v->pointer.empty() || (!v->is_array() && c_.words(t + 1) != ".")) continue;
    if (is_of_block(*v) || (v->parameter && v->changes.empty() && !v->address_taken))
      pointed_into_.insert(v);
    else
      v->pointed_at = true;
  }
}

void plan::find_pointed() {
  for (const auto& v : variables_.all()) {
    if (v.pointer.empty() || v.shared || repeats(v) || is_of_block(v) || !crosses(v)) continue;
    find_pointed(v.initializer);
    for (auto end : v.changes) {
      while (c_.words(end) != ";") ++end;
      find_pointed({c_.statement_start(end), end});
    }
  }
}

}  // namespace lab::sim::loops
