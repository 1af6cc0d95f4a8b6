#include <set>

#include "sim/labcc/rewriter/rewriter.hpp"

// Code of before Volta lets the lanes of a warp exchange values through volatile shared memory without a barrier:
//   s[t] += s[t + 2]; s[t] += s[t + 1];
// The lanes of the simulator run one after another. In such a function, each of these statements becomes
//   { const ::lab_sim::in_step lab_step; s[t] = lab_step(s[t] + (s[t + 2])); }
// whose lanes all read before one writes. A fast program warns when it is compiled; a traced one reports the race.

namespace lab::sim {

namespace {

constexpr const char* warning =
    "_Pragma(\"GCC warning \\\"lanes of a warp exchange values here without __syncwarp(), which is undefined since "
    "Volta. "
    "The simulator runs these statements in step; add __syncwarp() after each read and each write.\\\"\") ";

}  // namespace

// The names of volatile arrays and pointers in a function's parameters and body.
std::set<std::string_view> rewriter::volatile_arrays(std::size_t first, std::size_t end) const {
  std::set<std::string_view> names;
  for (std::size_t t = first; t < end; ++t) {
    if (tokens_[t].words != "volatile") continue;
    std::string_view name;
    bool pointer = false;
    std::size_t at = t + 1;
    for (; at < end; ++at) {
      const auto w = tokens_[at].words;
      if (w == "," || w == ")" || w == ";" || w == "=" || w == "[" || w == "(") break;
      pointer = pointer || w == "*";
      if (tokens_[at].kind == token_kind::identifier) name = w;
    }
    if (pointer || tokens_[at].words == "[") names.insert(name);
  }
  return names;
}

// The `=` of a statement that begins here and writes an element of an array, or 0.
std::size_t rewriter::element_assignment(std::size_t position) const {
  const auto before = position > 0 ? tokens_[position - 1].words : "";
  const bool begins = before == ";" || before == "{" || before == "}" || before == ")" || before == "else";
  if (!begins || tokens_[position + 1].words != "[") return 0;
  const std::size_t close = closing(position + 1);
  const auto next = [&](std::size_t n) { return close + n < tokens_.size() ? tokens_[close + n].words : ""; };
  if (next(1) == "=" && next(2) != "=") return close + 1;
  if (next(2) == "=" && next(1).size() == 1 && std::string_view{"+-*/%&|^"}.find(next(1)) != std::string_view::npos)
    return close + 2;
  return 0;
}

// Whether the assigned value has another element of the array.
bool rewriter::exchanges(std::size_t position, std::size_t assignment) const {
  const auto index = [&](std::size_t open) { return kernel_words(open, closing(open)); };
  for (std::size_t t = assignment; tokens_[t].words != ";"; ++t)
    if (tokens_[t].words == tokens_[position].words && tokens_[t + 1].words == "[" &&
        index(t + 1) != index(position + 1))
      return true;
  return false;
}

// The lanes read together, then write together.
void rewriter::run_in_step(std::size_t position) {
  const std::size_t close = closing(position + 1), assignment = element_assignment(position);
  std::size_t end = close;
  while (tokens_[end].words != ";") ++end;
  const bool combines = assignment > close + 1;
  const auto words = [&](std::size_t first, std::size_t last) {
    return std::string{source_.substr(tokens_[first].begin, tokens_[last].end - tokens_[first].begin)};
  };
  edits_.insert(tokens_[position].begin, "{ const ::lab_sim::in_step lab_step; ");
  if (combines) edits_.replace(tokens_[close + 1].begin, tokens_[assignment - 1].end, "");
  edits_.insert(tokens_[assignment].end,
                " lab_step(" + (combines ? words(position, close) + words(close + 1, assignment - 1) + "(" : ""));
  edits_.insert(tokens_[end].begin, combines ? "))" : ")");
  edits_.insert(tokens_[end].end, " }");
}

void rewriter::lanes_in_step(std::size_t brace) {
  const std::size_t end = closing(brace);
  const auto names = volatile_arrays(statement_start(brace), end);
  std::vector<std::size_t> found;
  const auto ends = [&](std::size_t t) {  // a lambda is no simple statement
    while (t < end && tokens_[t].words != ";" && tokens_[t].words != "{" && tokens_[t].words != "}") ++t;
    return tokens_[t].words == ";";
  };
  bool follows = false, unordered = false;  // whether an exchange follows another without a barrier
  for (std::size_t t = brace; t < end && !names.empty(); ++t) {
    const auto w = tokens_[t].words;
    if (w == "__syncwarp" || w == "asm" || (tokens_[t].directive && w == "define")) return;
    if (w.starts_with("__syncthreads") || w == "sync") follows = false;
    const std::size_t assignment = names.contains(w) ? element_assignment(t) : 0;
    if (assignment == 0 || !ends(assignment)) continue;
    const bool exchange = exchanges(t, assignment);
    unordered = unordered || (exchange && follows);
    follows = follows || exchange;
    found.push_back(t);
    while (tokens_[t].words != ";") ++t;
  }
  if (!unordered) return;
  if (!mark_loops_) edits_.insert(tokens_[found.front()].begin, warning);
  for (const auto t : found) run_in_step(t);
}

}  // namespace lab::sim
