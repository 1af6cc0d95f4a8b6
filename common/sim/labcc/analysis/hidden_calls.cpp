#include <algorithm>

#include "sim/labcc/analysis/functions.hpp"
#include "sim/labcc/analysis/known_functions.hpp"

// A call of a function has its name, but some functions are called without: operators, constructors, conversions.
// These may call others in turn. So a kernel may reach every function that something else than a kernel mentions.

namespace lab::sim::loops {

bool functions::in_kernel(std::size_t t) const {
  return std::ranges::any_of(kernels_, [&](const range& k) { return k.contains(t); });
}

// Whether the token is threadIdx, or a macro that contains it.
bool functions::is_index(std::size_t t, int depth) const {
  if (c_.words(t) == "threadIdx") return true;
  const auto* const texts = c_.is_identifier(t) ? macro(c_.words(t)) : nullptr;
  if (!texts) return false;
  if (depth > 8) return true;
  for (const auto& text : *texts)
    for (std::size_t m = text.first; m < text.end; ++m)
      if (is_index(m, depth + 1)) return true;
  return false;
}

bool functions::any_reads_index() const {
  for (std::size_t t = 0; t < c_.size(); ++t)
    if (!c_.is_directive(t) && is_index(t) && !in_kernel(t)) return true;
  return false;
}

namespace {

// Whether a function's name stands in its declaration here, outside of all bodies.
bool is_declared(const code& c, std::size_t name) {
  if (c.words(name + 1) != "(" || c.words(c.closing(name + 1) + 1) != ";" || name == 0) return false;
  if (is_one_of(c.words(name - 1), {"return", "else", "do", "throw", "not", "new"})) return false;
  return c.is_identifier(name - 1) || is_one_of(c.words(name - 1), {"*", "&", ">"});
}

}  // namespace

// Whether the operator that is defined here may do more than return a value that its operands determine. What assigns
// or steps counts as a change where it stands.
bool functions::acts(std::size_t word) const {
  if (c_.assigns(word + 1) || is_one_of(c_.words(word + 1), {"new", "delete", ","})) return false;
  std::size_t open = c_.words(word + 1) == "(" ? word + 3 : word + 1;
  while (open < c_.size() && c_.words(open) != "(" && c_.words(open) != ";") ++open;
  if (c_.words(open) != "(") return c_.words(word - 1) != "::" && c_.words(word - 1) != ".";
  std::size_t body = c_.closing(open) + 1;
  while (is_one_of(c_.words(body), {"const", "noexcept", "override", "final"})) ++body;
  if (c_.words(body) == "=") return false;  // default or delete
  if (c_.words(body) != "{" || c_.words(body + 1) != "return") return true;
  const std::size_t end = c_.closing(body);
  for (std::size_t t = body + 1; t < end; ++t) {
    const bool call = c_.is_identifier(t) && c_.words(t + 1) == "(" && !is_keyword_before_parenthesis(c_.words(t));
    if ((call && !is_pure_function(c_.words(t))) || c_.assigns(t) || (c_.words(t) == ";" && t + 1 < end)) return true;
  }
  return false;
}

void functions::find_operators() {
  for (std::size_t t = 1; t < c_.size() && !operators_act_; ++t) operators_act_ = c_.words(t) == "operator" && acts(t);
}

void functions::find_hidden_calls() {
  // The names of functions that nothing but kernels, and functions of these names, mention.
  std::set<std::string_view> open;
  for (const auto& [name, all] : bodies_)
    if (!is_one_of(name, {"begin", "end", "get"})) open.insert(name);
  std::map<std::size_t, std::size_t> owner;  // the first token of a body, and the token after it
  std::map<std::size_t, std::string_view> names;
  for (const auto& [name, all] : bodies_)
    for (const auto& body : all)
      if (body.end > 0) {
        owner[body.first] = body.end;
        names[body.first] = name;
        const auto before = c_.words(body.first - 2);
        if (before == "operator" || before == "~" || before == "::" || before == ".") open.erase(name);
      }
  const auto function_around = [&](std::size_t t) -> std::string_view {
    for (auto next = owner.upper_bound(t); next != owner.begin();)
      if (t < (--next)->second) return names.at(next->first);
    return {};
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t t = 0; t < c_.size(); ++t) {
      const auto name = c_.words(t);
      if (!c_.is_identifier(t) || !open.contains(name) || owner.contains(t + 1)) continue;
      const bool called = is_one_of(c_.words(t + 1), {"(", "<"});
      if (!c_.is_directive(t) && in_kernel(t) && called) continue;
      const auto around = c_.is_directive(t) ? std::string_view{} : function_around(t);
      if (around.empty() ? !c_.is_directive(t) && is_declared(c_, t) : open.contains(around) && called) continue;
      open.erase(name);
      changed = true;
    }
  }
  for (std::size_t t = 0; t < c_.size() && !read_index_; ++t) {
    if (c_.is_directive(t) || !is_index(t) || in_kernel(t)) continue;
    const auto around = function_around(t);
    read_index_ = around.empty() || !open.contains(around);
  }
}

}  // namespace lab::sim::loops
