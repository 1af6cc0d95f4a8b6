#include "sim/labcc/analysis/code.hpp"

#include <algorithm>

namespace lab::sim::loops {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, word) != all.end();
}

bool code::is_at(std::size_t t, std::initializer_list<std::string_view> all) const {
  for (const auto word : all)
    if (words(t++) != word) return false;
  return true;
}

std::size_t code::end_of_group(std::size_t t) const {
  const bool qualified = is_one_of(words(t), {"cg", "cooperative_groups"}) && words(t + 1) == "::";
  if (!qualified || words(t + 2) != "thread_block" || !is_identifier(t + 3) || words(t + 4) != "=") return 0;
  return is_at(t + 5, {words(t), "::", "this_thread_block", "(", ")", ";"}) ? t + 11 : 0;
}

void code::find_groups() {
  for (std::size_t t = 0; t < size(); ++t)
    if (end_of_group(t) > 0) groups_.insert(words(t + 3));
}

std::size_t code::end_of_barrier(std::size_t t) const {
  if (is_at(t, {"__syncthreads", "(", ")", ";"})) return t + 4;
  if (groups_.contains(words(t)) && is_at(t + 1, {".", "sync", "(", ")", ";"})) return t + 6;
  const bool qualified = is_one_of(words(t), {"cg", "cooperative_groups"}) && is_at(t + 1, {"::", "sync", "("});
  return qualified && groups_.contains(words(t + 4)) && is_at(t + 5, {")", ";"}) ? t + 7 : 0;
}

std::vector<std::size_t> code::kernels() const {
  std::vector<std::size_t> all;
  for (std::size_t t = 0; t < size(); ++t)
    if (words(t) == "__global__" && !is_directive(t)) all.push_back(t);
  return all;
}

range code::kernel_body(std::size_t number) const {
  const auto all = kernels();
  if (number >= all.size()) return {};
  std::size_t t = all[number];
  while (t < size() && !is_one_of(words(t), {"{", ";"})) ++t;
  return words(t) == "{" ? range{t, closing(t)} : range{};
}

std::size_t code::closing(std::size_t open) const {
  int depth = 0;
  for (std::size_t t = open; t < size(); ++t) {
    if (is_directive(t) != is_directive(open)) continue;
    const auto w = words(t);
    if (w == "(" || w == "[" || w == "{") ++depth;
    if ((w == ")" || w == "]" || w == "}") && --depth == 0) return t;
  }
  throw declined{};
}

std::size_t code::opening(std::size_t close) const {
  int depth = 0;
  for (std::size_t t = close + 1; t-- > 0;) {
    const auto w = words(t);
    if (w == ")" || w == "]" || w == "}") ++depth;
    if ((w == "(" || w == "[" || w == "{") && --depth == 0) return t;
  }
  throw declined{};
}

namespace {

bool is_of_type(std::string_view w) { return is_one_of(w, {"::", ",", "*", "(", ")", "+", "-", "/", "."}); }

}  // namespace

std::size_t code::template_opening(std::size_t close) const {
  int depth = 0;
  for (std::size_t t = close + 1; t-- > 0;) {
    const auto w = words(t);
    if (w == ">") ++depth;
    if (w == "<" && --depth == 0) return is_identifier(t - 1) ? t : npos;
    if (w != "<" && w != ">" && tokens_[t].kind == token_kind::punctuation && !is_of_type(w)) return npos;
  }
  return npos;
}

std::size_t code::after_template(std::size_t open) const {
  int depth = 0;
  for (std::size_t t = open; t < size(); ++t) {
    const auto w = words(t);
    if (w == "<") ++depth;
    if (w == ">" && --depth == 0) return t + 1;
    if (w != "<" && w != ">" && tokens_[t].kind == token_kind::punctuation && !is_of_type(w)) return npos;
  }
  return npos;
}

std::size_t code::statement_start(std::size_t position) const {
  while (position > 0) {
    const auto w = words(position - 1);
    if (w == ";" || w == "{" || w == "}" || is_directive(position - 1) != is_directive(position)) break;
    --position;
  }
  return position;
}

std::size_t code::callee_around(std::size_t t, std::size_t first) const {
  int depth = 0;
  for (; t > first; --t) {
    const auto w = words(t - 1);
    if (w == ")" || w == "]" || w == "}") ++depth;
    if (w == ";") return npos;
    if ((w == "(" || w == "[" || w == "{") && depth-- == 0) {
      if (w != "(" || t < 2) return npos;
      std::size_t name = t - 2;
      if (words(name) == ">") {
        const std::size_t open = template_opening(name);
        if (open == npos) return npos;
        name = open - 1;
      }
      return is_identifier(name) ? name : npos;
    }
  }
  return npos;
}

bool code::ends_operand(std::size_t t) const {
  const auto kind = tokens_[t].kind;
  const auto w = words(t);
  if (w == "return" || w == "else" || w == "case" || w == "do") return false;
  return kind == token_kind::identifier || kind == token_kind::number || kind == token_kind::text || w == ")" ||
         w == "]";
}

bool code::is_unary(std::size_t t) const { return t == 0 || !ends_operand(t - 1); }

bool code::assigns(std::size_t t) const {
  const auto w = words(t);
  const bool then_equal = touches_next(t) && words(t + 1) == "=";
  const bool compares = t > 0 && touches_next(t - 1) && is_one_of(words(t - 1), {"=", "!", "<", ">"});
  if (w == "=") return !then_equal && !compares;
  if ((w == "+" || w == "-") && touches_next(t) && words(t + 1) == w) return true;
  if (is_one_of(w, {"+", "-", "*", "/", "%", "&", "|", "^"})) return then_equal;
  return (w == "<" || w == ">") && touches_next(t) && words(t + 1) == w && touches_next(t + 1) && words(t + 2) == "=";
}

bool code::is_stepped_before(std::size_t t) const {
  if (t < 2) return false;
  const auto w = words(t - 1);
  return (w == "+" || w == "-") && words(t - 2) == w && touches_next(t - 2);
}

std::size_t code::after_members(std::size_t name, bool through_brackets) const {
  std::size_t t = name + 1;
  for (;;) {
    if (words(t) == "." && is_identifier(t + 1))
      t += 2;
    else if (through_brackets && words(t) == "[")
      t = closing(t) + 1;
    else
      return t;
  }
}

std::string code::text(range r) const {
  std::string all;
  for (std::size_t t = r.first; t < r.end; ++t) {
    const bool apart = t > r.first && !touches_next(t - 1);
    all += (apart ? " " : "") + std::string{words(t)};
  }
  return all;
}

}  // namespace lab::sim::loops
