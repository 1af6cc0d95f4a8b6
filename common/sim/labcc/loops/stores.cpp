#include "sim/labcc/loops/stores.hpp"

#include <algorithm>

#include "sim/labcc/analysis/callee.hpp"

// What changes variables where no assignment shows it: functions, references, pointers. Which stores meet in one place.

namespace lab::sim::loops {

namespace {

// Whether a name may have another value in another thread.
bool differs(const code& c, variables& all, std::size_t t) {
  if (!c.is_identifier(t) || is_one_of(c.words(t - 1), {".", "->"})) return false;
  if (c.words(t) == "threadIdx") return true;
  if (const auto* const v = all.at(t)) return !v->uniform && !v->shared;
  return !is_one_of(c.words(t), {"blockIdx", "blockDim", "gridDim"});
}

bool differs(const code& c, variables& all, range tokens) {
  for (std::size_t t = tokens.first; t < tokens.end; ++t)
    if (differs(c, all, t)) return true;
  return false;
}

// Whether what ends before this token is the same place in all threads: pointer[index], *pointer or a shared variable.
bool is_one_place(const code& c, variables& all, std::size_t end) {
  std::size_t first = end - 1;
  bool brackets = false;
  for (; c.words(first) == "]" || c.words(first - 1) == "."; --first) {
    brackets = brackets || c.words(first) == "]";
    first = c.words(first) == "]" ? c.opening(first) : first - 1;
  }
  const auto* const v = all.at(first);
  if (!v) return c.words(first) == ")";  // *(pointer + index)
  const bool local =
      !v->shared && (v->is_array() || !(brackets || (c.words(first - 1) == "*" && c.is_unary(first - 1))));
  return !local && !differs(c, all, {first, end});
}

}  // namespace

bool stores_in_one_place(const code& c, variables& all, range body) {
  for (std::size_t t = body.first + 1; t < body.end; ++t) {
    const auto last = c.words(t - 1);
    const bool after_place = last == "]" || last == ")" || (c.is_identifier(t - 1) && !c.is_directive(t - 1));
    if (after_place && c.assigns(t) && is_one_place(c, all, t)) return true;
  }
  return false;
}

// Whether what is used here is an array in a structure, of which only the address counts.
bool variables::decays(std::size_t t) const {
  const std::size_t end = c_.after_members(t, false);
  return end > t + 1 && functions_.is_array_member(c_.words(end - 1)) && c_.words(end) != "[";
}

// The token after what a use of the variable names of it, as in  name.array[index].member.
std::size_t variables::after_place(const variable& v, std::size_t t) const {
  if (v.is_array()) return c_.after_members(t, true);
  std::size_t end = c_.after_members(t, false);
  while (c_.words(end) == "[" && end > t + 1 && functions_.is_array_member(c_.words(end - 1))) {
    while (c_.words(end) == "[") end = c_.closing(end) + 1;
    end = c_.after_members(end - 1, false);
  }
  return end;
}

// Whether an inner declaration makes a reference to what is used here, or a pointer into it.
bool variables::is_bound(std::size_t t) const {
  for (std::size_t s = c_.statement_start(t); s + 2 < t; ++s) {
    if (c_.words(s) != "&" && (c_.words(s) != "*" || !decays(t))) continue;
    const bool equal = c_.words(s + 2) == "=" && !(c_.touches_next(s + 2) && c_.words(s + 3) == "=");
    const bool binds = c_.words(s + 1) == "[" || (c_.is_identifier(s + 1) && (equal || c_.words(s + 2) == ":"));
    const auto declared = [&](const variable& v) { return !v.parameter && v.scope.first == s + 1; };
    if (binds && std::ranges::none_of(all_, declared)) return true;
  }
  return false;
}

// Whether this use is an argument that its function may change.
bool variables::may_change(const variable& v, std::size_t t, range body) const {
  if (c_.words(t + 1) == "[" && !v.is_array()) return false;  // it changes what a pointer points at
  const std::size_t end = c_.after_members(t, true);
  const bool whole = is_one_of(c_.words(t - 1), {"(", ","}) && is_one_of(c_.words(end), {")", ","});
  const std::size_t callee = whole ? c_.callee_around(t, body.first) : c_.npos;
  if (callee == c_.npos) return false;
  if (functions_.macro(c_.words(callee))) return end == t + 1;
  std::size_t open = callee + 1;
  if (c_.words(open) == "<") open = c_.after_template(open);
  const auto arguments = list_parts(c_, {open + 1, c_.closing(open)});
  const auto one = std::ranges::find_if(arguments, [&](range a) { return a.contains(t); });
  return functions_.may_change(c_.words(callee), one - arguments.begin(), v.is_array() || decays(t));
}

bool variables::has_word(range tokens, std::string_view word) const {
  for (std::size_t t = tokens.first; t < tokens.end; ++t)
    if (c_.words(t) == word) return true;
  return false;
}

// Whether a constant reference is only another name of a parameter that never changes, or of a part of it.
bool variables::names_fixed_parameter(const variable& r) {
  const auto* const v = r.has_initializer() ? at(r.initializer.first) : nullptr;
  if (!has_word(r.type, "const") || r.address_taken || !v || !v->parameter || !v->changes.empty() || v->address_taken)
    return false;
  return c_.after_members(r.initializer.first, false) == r.initializer.end;
}

bool variables::changes_targets(const variable& v) const { return !v.pointer.empty() && !has_word(v.type, "const"); }

void variables::bind_references() {
  for (auto& r : all_)
    if (r.reference && names_fixed_parameter(r)) r.reference = false, r.uniform = true;
  for (const auto& r : all_)
    for (auto& v : all_)
      for (const auto t : v.uses)
        if (r.initializer.contains(t) && (r.reference || (changes_targets(r) && decays(t)))) v.address_taken = true;
}

}  // namespace lab::sim::loops
