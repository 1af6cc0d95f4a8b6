#include <algorithm>
#include <cstdlib>

#include "sim/labcc/rewriter/rewriter.hpp"

// A loop that OpenMP shares out among threads must keep its form, so it gets no marks. It belongs to the host.

namespace lab::sim {

namespace {

constexpr std::size_t any_depth = 8;

bool shares_out(const std::string& directive) {
  constexpr std::string_view words[] = {" for", " simd", " loop", " taskloop", " distribute"};
  return std::ranges::any_of(words, [&](auto word) { return directive.find(word) != directive.npos; });
}

// How many nested loops the directive demands.
std::size_t depth_of(const std::string& directive) {
  const auto at = directive.find("collapse");
  if (at == directive.npos) return directive.find("ordered (") == directive.npos ? 1 : any_depth;
  const auto number = directive.find_first_not_of("( ", at + 8);
  const auto depth = number == directive.npos ? 0 : std::strtoul(directive.c_str() + number, nullptr, 10);
  return depth == 0 ? any_depth : depth;
}

// The words of a _Pragma; empty if it is not OpenMP's.
std::string openmp_words(std::string_view text) { return text.starts_with("\"omp ") ? std::string{text} : ""; }

}  // namespace

std::string rewriter::openmp_macro(std::string_view name) const {
  for (std::size_t t = 1; t < tokens_.size(); ++t) {
    if (!tokens_[t].directive || tokens_[t].words != name || tokens_[t - 1].words != "define") continue;
    for (++t; t < tokens_.size() && tokens_[t].directive && tokens_[t].words != "#"; ++t)
      if (const auto words = openmp_words(tokens_[t].words); !words.empty()) return words;
  }
  return "";
}

// The words of the OpenMP directive before a token; empty if there is none. The directive may be a _Pragma, or a macro
// of this source that stands for one.
std::string rewriter::openmp_before(std::size_t position) const {
  if (position == 0) return "";
  const token& before = tokens_[position - 1];
  if (!before.directive && before.words == ")" && position >= 4 && tokens_[position - 4].words == "_Pragma")
    return openmp_words(tokens_[position - 2].words);
  if (!before.directive) return before.kind == token_kind::identifier ? openmp_macro(before.words) : "";
  std::size_t first = position;
  while (first > 0 && tokens_[first - 1].directive) --first;
  std::string words;
  for (; first < position; ++first) {
    const bool begins = tokens_[first].words == "#";
    if (begins && words.find("pragma omp") == words.npos) words.clear();
    words.append(begins ? "" : " ").append(tokens_[first].words);
  }
  return words.find("pragma omp") == words.npos ? "" : words;
}

void rewriter::keep_openmp_form(std::size_t position) {
  const std::string directive = openmp_before(position);
  if (directive.empty() || !shares_out(directive)) return;
  for (std::size_t depth = depth_of(directive), loop = position; depth > 0; --depth) {
    unmarked_.insert(loop);
    if (loop + 1 >= tokens_.size() || tokens_[loop + 1].words != "(") return;
    loop = closing(loop + 1) + 1;
    while (loop < tokens_.size() && (tokens_[loop].words == "{" || tokens_[loop].directive)) ++loop;
    if (loop >= tokens_.size() || tokens_[loop].words != "for") return;
  }
}

}  // namespace lab::sim
