#include <set>

#include "sim/labcc/rewriter/rewriter.hpp"

// Code of before Volta lets the lanes of a warp exchange values through volatile shared memory without a barrier:
//   s[t] += s[t + 2]; s[t] += s[t + 1];
// The lanes of the simulator run one after another, so the values differ. A fast program says so when it is compiled; a
// traced one reports the race.

namespace lab::sim {

namespace {

constexpr const char* warning =
    "_Pragma(\"GCC warning \\\"lanes of a warp exchange values here without __syncwarp(). The simulator runs the lanes "
    "one after another, so the result differs from that of lanes in step; add __syncwarp() after each step.\\\"\") ";

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

// Whether the statement writes one element of an array and reads another.
bool rewriter::exchanges(std::size_t position) const {
  const auto name = tokens_[position].words;
  const auto index = [&](std::size_t open) { return kernel_words(open, closing(open)); };
  if (tokens_[position + 1].words != "[") return false;
  const std::size_t close = closing(position + 1);
  bool assigns = false, other = false;
  for (std::size_t t = close + 1; t + 1 < tokens_.size() && tokens_[t].words != ";"; ++t) {
    if (tokens_[t].words == "{" || tokens_[t].words == "}") return false;
    assigns = assigns || (tokens_[t].words == "=" && tokens_[t + 1].words != "=");
    if (!assigns && t > close + 2) return false;
    if (tokens_[t].words == name && tokens_[t + 1].words == "[") other = other || index(t + 1) != index(position + 1);
  }
  return assigns && other;
}

void rewriter::warn_of_lanes_in_step(std::size_t brace) {
  const std::size_t end = closing(brace);
  const auto names = volatile_arrays(statement_start(brace), end);
  std::size_t before = 0;  // an exchange that no barrier has followed
  for (std::size_t t = brace; t < end && !names.empty(); ++t) {
    const auto w = tokens_[t].words;
    if (w == "__syncwarp" || w == "asm") return;
    if (w.starts_with("__syncthreads") || w == "sync") before = 0;
    if (!names.contains(w) || !exchanges(t)) continue;
    if (before != 0) return edits_.insert(tokens_[before].begin, warning);
    before = t;
    while (tokens_[t].words != ";") ++t;
  }
}

}  // namespace lab::sim
