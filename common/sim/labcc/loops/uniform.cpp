#include <algorithm>

#include "sim/labcc/loops/plan.hpp"

// Which variables have the same value in all threads of a block, and whether every loop and branch with a barrier
// depends on such variables only. Which declarations may be repeated in each loop, because their values depend on
// nothing that changes.

namespace lab::sim::loops {

using kind = statement::kind;

// Whether all threads make this change together and to the same value.
bool plan::is_uniform_change(std::size_t change) {
  const auto uniform = [&](range expression) {
    const auto all = variables_.assignments(expression);
    return all && std::ranges::all_of(*all, [&](const assignment& a) {
             const auto n = variables_.of(a.value);
             return variables_.at(a.name)->uniform && n.pure && n.uniform;
           });
  };
  for (const auto* loop : loops_) {
    if (!loop->header.contains(change)) continue;
    std::size_t step = change;
    while (c_.words(step - 1) != ";" && step > loop->header.first) --step;
    std::size_t end = change;
    while (c_.words(end) != ";" && end < loop->header.end) ++end;
    return uniform({step, end});
  }
  const std::size_t run = run_of(change);
  if (run == c_.npos) return false;
  for (const auto* s : runs_[run].statements)
    if (s->all.contains(change)) return s->what == kind::plain && uniform({s->begin, s->all.end - 1});
  return false;
}

bool plan::stays_uniform(const variable& v) {
  if (v.shared) return v.uniform;
  if (!v.uniform || v.address_taken) return false;
  if (v.has_initializer()) {
    const auto n = variables_.of(v.initializer);
    if (!n.pure || !n.uniform) return false;
  }
  for (const auto& other : variables_.all())  // of the same declaration
    if (!v.parameter && other.declaration.first == v.declaration.first && !other.parameter && !other.uniform)
      return false;
  return std::ranges::all_of(v.changes, [&](std::size_t change) { return is_uniform_change(change); });
}

void plan::find_uniform() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& v : variables_.all())
      if (v.uniform && !stays_uniform(v)) v.uniform = false, changed = true;
  }
  // Without a barrier all is one loop, in which each thread changes its own copy.
  for (auto& v : variables_.all())
    if (barriers_.empty() && !v.shared && !v.changes.empty()) v.uniform = false;
}

void plan::require_uniform(std::span<const statement> sequence, bool last) {
  const std::size_t end = end_of_blocks(sequence, last);
  for (std::size_t i = 0; i < sequence.size(); ++i)
    if (is_of_block(sequence[i], i >= end)) require_uniform(sequence[i]);
}

void plan::require_uniform(const statement& s) {
  if (s.what == kind::plain || s.what == kind::declaration) throw declined{};
  if (s.what == kind::branch || s.what == kind::counted || s.what == kind::repeated) require_uniform_header(s);
  require_uniform(s.inner, false);
}

void plan::require_uniform_header(const statement& s) {
  range condition = s.header;
  if (s.what == kind::counted) {
    std::size_t first = s.header.first;
    while (c_.words(first) != ";") ++first;
    std::size_t second = first + 1;
    while (c_.words(second) != ";" && second < s.header.end) ++second;
    if (second >= s.header.end) throw declined{};
    condition = {first + 1, second};
    for (const range part : {range{s.header.first, first}, range{second + 1, s.header.end}}) {
      bool declares = false;
      for (const auto& v : variables_.all())
        if (v.loop.end > 0 && part.contains(v.scope.first)) {
          declares = true;
          if (!v.uniform) throw declined{};
        }
      if (declares) continue;
      const auto all = variables_.assignments(part);
      if (!all) throw declined{};
      for (const auto& a : *all)
        if (!variables_.at(a.name)->uniform || !is_uniform_change(a.name)) throw declined{};
    }
  }
  const auto n = variables_.of(condition);
  if (!n.pure || !n.uniform) throw declined{};
}

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
