#include "sim/labcc/loops/plan.hpp"

#include <algorithm>

namespace lab::sim::loops {

using kind = statement::kind;

plan::plan(const code& source, variables& all, const std::vector<statement>& body, range tokens, bool by_turns)
    : c_{source}, variables_{all}, body_{tokens}, by_turns_{by_turns} {
  declare(body, tokens, true);
  variables_.find_uses(tokens);
  find_runs(body, true);
  find_uniform();
  require_uniform(body, true);
  choose_of_block();
  split_runs();
  require_no_exchange();
  find_repeated();
  find_pointed();
}

// The first statement of a sequence after all that the whole block must execute.
std::size_t plan::end_of_blocks(std::span<const statement> sequence, bool last) const {
  std::size_t end = last ? sequence.size() : 0;
  while (end > 0 && !sequence[end - 1].is_of_block()) --end;
  return last ? end : sequence.size();
}

void plan::declare(std::span<const statement> sequence, range scope, bool last) {
  const std::size_t end = end_of_blocks(sequence, last);
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    if (is_of_block(sequence[i], i >= end))
      declare(sequence[i], scope);
    else if (sequence[i].what == kind::plain)
      variables_.add({sequence[i].begin, sequence[i].all.end}, scope);
    else if (by_turns_)
      declare_turns(sequence[i]);
  }
}

// What the inner statements of a statement of the whole block declare.
void plan::declare(const statement& s, range scope) {
  if (s.what == kind::compound) return declare(s.inner, {s.begin, s.all.end}, false);
  if (s.what == kind::counted) {
    std::size_t end = s.header.first;
    while (c_.words(end) != ";") ++end;
    if (end > s.header.first) variables_.add({s.header.first, end + 1}, {s.header.first, s.all.end}, s.all);
    loops_.push_back(&s);
  }
  for (const auto& inner : s.inner)
    if (is_of_block(inner, false)) declare(inner, scope);
}

void plan::find_runs(std::span<const statement> sequence, bool last) {
  const std::size_t end = end_of_blocks(sequence, last);
  bool open = false;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const auto& s = sequence[i];
    if (is_of_block(s, i >= end)) {
      open = false;
      if (s.what == kind::barrier) barriers_.push_back({s.begin, s.all.end});
      if (s.what == kind::compound) find_runs(s.inner, false);
      if (s.what == kind::branch || s.what == kind::counted || s.what == kind::repeated)
        for (const auto& inner : s.inner) find_runs({&inner, 1}, false);
      continue;
    }
    if (!open) runs_.push_back({{}, last && i >= end, runs_.size()});
    open = true;
    runs_.back().statements.push_back(&s);
  }
}

std::size_t plan::run_of(std::size_t t) const {
  for (std::size_t r = 0; r < runs_.size(); ++r)
    if (runs_[r].all().contains(t)) return r;
  return c_.npos;
}

std::size_t plan::fragment_of(std::size_t t) const {
  for (std::size_t f = 0; f < fragments_.size(); ++f)
    if (fragments_[f].all().contains(t)) return f;
  return c_.npos;
}

// Variables of which the block needs one, and statements that it executes once.
void plan::choose_of_block() {
  for (const auto& v : variables_.all()) {
    if (!v.uniform && !v.shared) continue;
    const std::size_t home = v.parameter ? c_.npos : run_of(v.declaration.first);
    const bool crosses = std::ranges::any_of(v.uses, [&](std::size_t t) { return run_of(t) != home; });
    if (crosses || v.loop.end > 0) of_block_.insert(&v);
  }
  for (const auto& v : variables_.all())  // a declaration stays whole
    for (const auto& other : variables_.all())
      if (!v.parameter && !other.parameter && of_block_.contains(&v) && v.declaration.first == other.declaration.first)
        of_block_.insert(&other);
}

bool plan::block_executes(const statement& s) const {
  if (s.what != kind::plain) return false;
  if (runs_.size() > 1 && is_one_of(c_.words(s.begin), {"using", "typedef", "static_assert", "enum"})) return true;
  for (const auto* v : of_block_) {
    if (!v->parameter && v->declaration.first == s.begin) return true;
    if (!v->shared && std::ranges::any_of(v->changes, [&](std::size_t t) { return s.all.contains(t); })) return true;
  }
  return false;
}

void plan::split_runs() {
  for (const auto& run : runs_) {
    bool open = false, split = false, returns = false;
    for (const auto* s : run.statements) {
      returns = returns || s->returns;
      if (block_executes(*s)) {
        split = true;
        open = false;
        continue;
      }
      const auto by_turns = turns_.find(s);
      if (by_turns != turns_.end()) {
        split = true;
        open = false;
        fragments_.push_back({{s}, run.last, run.run, &by_turns->second});
        continue;
      }
      if (!open) fragments_.push_back({{}, run.last, run.run});
      open = true;
      fragments_.back().statements.push_back(s);
    }
    if (returns && split) throw declined{};
  }
}

const statement* plan::loop_around(std::size_t f) const {
  const statement* found = nullptr;  // an inner loop comes after the one around it
  for (const auto* loop : loops_)
    if (loop->all.contains(fragments_[f].all().first)) found = loop;
  return found;
}

bool plan::crosses(const variable& v) const {
  const std::size_t home = v.parameter ? c_.npos : fragment_of(v.declaration.first);
  return std::ranges::any_of(v.uses, [&](std::size_t t) { return fragment_of(t) != home; });
}

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

// Code of before Volta lets the lanes of a warp exchange values through volatile memory without a barrier. A loop over
// threads would run the lanes one after another. So each loop may only read volatile memory, or only write it.
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
