#include <algorithm>

#include "sim/labcc/rewriter/rewriter.hpp"

// A barrier between the statements of a kernel splits it into two phases. What follows becomes a function object, which
// the runtime calls for all threads when all have come to its barrier. So no thread needs a stack of its own:
//   { first; ::lab_sim::after_barrier([=]() mutable LAB_SIM_PHASE { second; }); }
// The object copies the local variables that the second phase uses. So nothing may hold their addresses.

namespace lab::sim {

namespace {

// Words after which variables cannot be copied, or the body does not end at its brace.
constexpr std::string_view excluded[] = {
    "goto", "extern", "asm", "__asm__", "template", "using", "struct", "coalesced_threads", "co_await"};

bool ends_operand(const token& t) {
  return t.kind == token_kind::identifier || t.kind == token_kind::number || t.words == ")" || t.words == "]";
}

}  // namespace

// Whether an ampersand takes an address or declares a reference, as far as tokens tell.
bool rewriter::refers(std::size_t at) const {
  const token &before = tokens_[at - 1], &after = tokens_[at + 1];
  const bool doubled = (after.words == "&" && after.begin == tokens_[at].end) ||
                       (before.words == "&" && before.end == tokens_[at].begin);
  if (after.words == "=" && after.begin == tokens_[at].end) return false;  // &=
  if (before.words == "auto" || before.words == ">" || before.words == "*") return true;
  if (doubled) return false;
  if (!ends_operand(before)) return true;
  // `type & name =`
  return before.kind == token_kind::identifier && after.kind == token_kind::identifier && at + 2 < tokens_.size() &&
         (tokens_[at + 2].words == "=" || tokens_[at + 2].words == "{" || tokens_[at + 2].words == ":");
}

// Whether a pointer is declared here that may point at an array in a structure:  float* name = structure.array
bool rewriter::points_into_structure(std::size_t star) const {
  if (tokens_[star + 1].kind != token_kind::identifier || tokens_[star + 2].words != "=") return false;
  for (std::size_t t = star + 3; tokens_[t].words != ";" && t + 1 < tokens_.size(); ++t) {
    const bool member = tokens_[t].words == "." && tokens_[t - 1].kind == token_kind::identifier;
    if (!member || tokens_[t + 2].words == "." || tokens_[t + 2].words == "[") continue;
    const auto name = tokens_[t + 1].words;
    bool pointer = false;  // a member of this name
    for (std::size_t d = 3; d + 1 < tokens_.size(); ++d)
      pointer = pointer || (tokens_[d].words == name && tokens_[d - 1].words == "*" && tokens_[d + 1].words == ";" &&
                            tokens_[d - 2].kind == token_kind::identifier && !ends_operand(tokens_[d - 3]));
    const bool built_in = tokens_[t - 1].words.ends_with("Idx") || tokens_[t - 1].words.ends_with("Dim");
    if (!pointer && !built_in) return true;
  }
  return false;
}

// Whether these statements may leave the address of a local variable behind, or cannot be split for another reason.
bool rewriter::keeps_addresses(std::size_t first, std::size_t end) const {
  for (std::size_t t = first; t < end; ++t) {
    const auto w = tokens_[t].words;
    if (tokens_[t].directive || std::ranges::find(excluded, w) != std::end(excluded)) return true;
    if (w == "&" && refers(t)) return true;
    if (w == "*" && points_into_structure(t)) return true;
    if (w == "[" && declares_array(t)) return true;
    if (w == "[" && tokens_[t - 1].words == "auto") return true;
  }
  return false;
}

// Whether a bracket declares a local array that is not shared: `type name[`, `type* name[`, `type a, name[`.
bool rewriter::declares_array(std::size_t bracket) const {
  if (bracket < 2 || tokens_[bracket - 1].kind != token_kind::identifier) return false;
  const token& before = tokens_[bracket - 2];
  const auto first = statement_start(bracket);
  int open = 0;
  bool type_alone = true;
  for (std::size_t t = first; t + 1 < bracket; ++t) {
    const auto w = tokens_[t].words;
    if (w == "__shared__") return false;
    open += w == "(" ? 1 : w == ")" ? -1 : 0;
    type_alone = type_alone && (tokens_[t].kind == token_kind::identifier || w == "*" || w == "::" || w == "<" ||
                                w == ">" || tokens_[t].kind == token_kind::number);
  }
  if (before.words == ",") return open == 0;
  if (before.words == "*" || before.words == ">") return type_alone;
  return before.kind == token_kind::identifier && before.words != "return" && before.words != "else";
}

bool rewriter::is_barrier(std::size_t t) const {
  return tokens_[t].words == "__syncthreads" && t + 3 < tokens_.size() && tokens_[t + 1].words == "(" &&
         tokens_[t + 2].words == ")" && tokens_[t + 3].words == ";" &&
         (tokens_[t - 1].words == ";" || tokens_[t - 1].words == "}" || tokens_[t - 1].words == "{");
}

void rewriter::split_at_barriers(std::size_t position) {
  if (mark_loops_ || tokens_[position].directive || in_function()) return;
  std::size_t body = position;
  while (body < tokens_.size() && tokens_[body].words != "{" && tokens_[body].words != ";") ++body;
  if (body >= tokens_.size() || tokens_[body].words == ";" || tokens_[body - 1].words != ")") return;
  const std::size_t end = closing(body);
  std::vector<std::size_t> barriers;
  for (std::size_t t = body + 1; t < end; ++t) {
    if (const auto w = tokens_[t].words; w == "(" || w == "[" || w == "{")
      t = closing(t);
    else if (is_barrier(t))
      barriers.push_back(t);
  }
  if (barriers.empty() || barriers.size() > 4 || keeps_addresses(body + 1, end)) return;
  std::size_t waiting = 0;  // in loops, branches and warps, too
  for (std::size_t t = body; t < end; ++t) {
    waiting += tokens_[t].words.find("sync") != std::string_view::npos;
    if (t > barriers[0] && tokens_[t].words == "__shared__") return;
  }
  if (waiting != barriers.size()) return;
  std::string close;
  for (const auto barrier : barriers) {
    edits_.replace(tokens_[barrier].begin, tokens_[barrier + 3].end,
                   "::lab_sim::after_barrier([=]() mutable LAB_SIM_PHASE {");
    close += " });";
  }
  edits_.insert(tokens_[end].begin, close + " ");
}

}  // namespace lab::sim
