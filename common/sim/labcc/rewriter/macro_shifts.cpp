#include "sim/labcc/rewriter/rewriter.hpp"

// Shifts in the text of macros that this source defines and its device code uses. A macro that an #if needs stays as it
// is, because the preprocessor knows no functions.

namespace lab::sim {

// Whether a directive begins at this token: a # may also stand in a macro's text.
bool rewriter::begins_directive(std::size_t position) const {
  if (!tokens_[position].directive || tokens_[position].words != "#") return false;
  if (position == 0 || !tokens_[position - 1].directive) return true;
  const auto last = tokens_[position - 1].end;
  const auto between = source_.substr(last, tokens_[position].begin - last);
  for (std::size_t line = between.find('\n'); line != between.npos; line = between.find('\n', line + 1)) {
    const auto end = between.substr(0, line).find_last_not_of('\r');
    if (end == between.npos || between[end] != '\\') return true;
  }
  return false;
}

std::size_t rewriter::end_of_directive(std::size_t position) const {
  while (++position < tokens_.size() && tokens_[position].directive && !begins_directive(position)) continue;
  return position;
}

void rewriter::find_macros() {
  std::vector<std::string_view> needed;
  for (std::size_t t = 0; t + 2 < tokens_.size(); ++t) {
    if (!begins_directive(t)) continue;
    const auto what = tokens_[t + 1].words;
    const std::size_t end = end_of_directive(t);
    if (what == "define") macros_[tokens_[t + 2].words].emplace_back(t + 3, end);
    for (std::size_t word = t + 2; what.ends_with("if") && word < end; ++word) needed.push_back(tokens_[word].words);
  }
  while (!needed.empty()) {
    const auto name = needed.back();
    needed.pop_back();
    const auto found = macros_.extract(name);
    if (found.empty()) continue;
    for (const auto& [first, end] : found.mapped())
      for (std::size_t t = first; t < end; ++t) needed.push_back(tokens_[t].words);
  }
}

void rewriter::shifts_of_macro(std::string_view name) {
  const auto found = macros_.extract(name);  // once
  if (found.empty()) return;
  for (const auto& [first, end] : found.mapped())
    for (std::size_t t = first; t < end && t < tokens_.size(); ++t) {
      const auto& one = tokens_[t];
      if (one.words == "<" || one.words == ">") shift(t);
      if (one.kind == token_kind::identifier) shifts_of_macro(one.words);
    }
}

}  // namespace lab::sim
