#include <algorithm>

#include "sim/labcc/analysis/known_functions.hpp"
#include "sim/labcc/analysis/variables.hpp"

// What expressions do and need.

namespace lab::sim::loops {

nature variables::of(range expression) {
  nature n;
  looked_up_at_ = expression.first;
  examine(expression, {}, n, 0);
  return n;
}

bool variables::is_number(std::string_view name) const {
  const auto* const texts = functions_.macro(name);
  const auto numbers = [&](range text) {
    for (std::size_t t = text.first; t < text.end; ++t)
      if (c_.tokens()[t].kind != token_kind::number) return false;
    return true;
  };
  return texts && std::ranges::all_of(*texts, numbers);
}

// Whether a bracket only computes an address, as in  &array[index].
bool variables::only_address(std::size_t bracket) {
  std::size_t name = bracket - 1;
  int brackets = 1;
  for (; c_.words(name) == "]"; ++brackets) name = c_.opening(name) - 1;
  auto* const v = at(name);
  return v && (brackets == 1 || v->is_array()) && c_.words(name - 1) == "&" && c_.is_unary(name - 1);
}

// Whether a bracket reads an array in a parameter that never changes.
bool variables::of_parameter(std::size_t bracket) {
  std::size_t name = bracket - 1;
  if (!c_.is_identifier(name) || !functions_.is_array_member(c_.words(name))) return false;
  while (c_.words(name - 1) == "." && c_.is_identifier(name - 2)) name -= 2;
  const auto* const v = name < bracket - 1 ? at(name) : nullptr;
  return v && v->parameter && v->changes.empty() && !v->address_taken;
}

void variables::examine(range e, const std::set<std::string_view>& arguments, nature& n, int depth) {
  const bool of_macro = c_.is_directive(e.first);
  if (depth > 8) n.pure = false;
  for (std::size_t t = e.first; t < e.end && n.pure; ++t) {
    if (c_.is_directive(t) != of_macro) continue;
    const auto w = c_.words(t);
    const bool text = c_.tokens()[t].kind == token_kind::text;
    if (text || w == "->" || w == "{" || c_.assigns(t)) n.pure = false;
    if (w == "[" && (of_macro || (!only_address(t) && !of_parameter(t)))) n.pure = false;
    if (w == "*" && c_.is_unary(t) && !is_one_of(c_.words(t + 1), {")", ">"})) n.pure = false;
    if (c_.is_identifier(t)) identifier(t, of_macro, arguments, n, depth);
  }
}

void variables::identifier(std::size_t t, bool of_macro, const std::set<std::string_view>& arguments, nature& n,
                           int depth) {
  const auto w = c_.words(t);
  if (t > 0 && (c_.words(t - 1) == "." || c_.words(t - 1) == "->")) return;
  if (of_macro && arguments.contains(w)) return;  // it is examined where it stands
  if (w == "threadIdx") n.uniform = false;
  if (auto* const v = of_macro ? named(w, looked_up_at_) : at(t)) {
    if (v->shared && !v->is_array()) n.pure = false;
    if (v->is_array() && !v->shared) n.pure = false;
    if (v->reference || (v->class_type && functions_.operators_act())) n.pure = false;
    n.uniform = n.uniform && v->uniform;
    n.needs.push_back(v);
    return;
  }
  if (functions_.is_device_variable(w) || (functions_.is_constant(w) && functions_.operators_act())) n.pure = false;
  if (const auto* texts = functions_.macro(w)) {
    for (const auto& text : *texts) {
      std::set<std::string_view> names;
      if (text.first > 0 && c_.words(text.first - 1) == ")")
        for (std::size_t a = c_.opening(text.first - 1); a < text.first; ++a) names.insert(c_.words(a));
      if (text.end > text.first) examine(text, names, n, depth + 1);
    }
    return;
  }
  std::size_t open = t + 1;
  if (c_.words(open) == "<")
    if (const std::size_t after = c_.after_template(open); after != c_.npos) open = after;
  if (c_.words(open) == "(" && !is_pure_function(w) && !is_keyword_before_parenthesis(w) && !types_.contains(w))
    n.pure = false;
}

}  // namespace lab::sim::loops
