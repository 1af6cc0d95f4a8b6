#include "sim/labcc/rewriter/rewriter.hpp"

// The rewriter sees all branches of an #if, of which the preprocessor keeps one.

namespace lab::sim {

rewriter::conditional rewriter::conditional_at(std::size_t position) const {
  const bool directive = tokens_[position].directive && tokens_[position].words == "#";
  if (!directive || position + 1 >= tokens_.size()) return conditional::none;
  const auto w = tokens_[position + 1].words;
  if (w == "if" || w == "ifdef" || w == "ifndef") return conditional::begins;
  if (w == "else" || w == "elif" || w == "elifdef" || w == "elifndef") return conditional::other_branch;
  return w == "endif" ? conditional::ends : conditional::none;
}

// The #endif of the #if that `position` is in.
std::size_t rewriter::end_of_conditional(std::size_t position) const {
  int depth = 1;
  for (std::size_t t = position + 1; t < tokens_.size(); ++t) {
    const auto what = conditional_at(t);
    if (what == conditional::begins) ++depth;
    if (what == conditional::ends && --depth == 0) return t;
  }
  throw rewrite_error(line_of(position), "this #if has no #endif");
}

// Whether the #if that ends here has an #else or #elif.
bool rewriter::has_other_branch(std::size_t end) const {
  int depth = 0;
  for (std::size_t t = end; t-- > 0;) {
    const auto what = conditional_at(t);
    if (what == conditional::ends) ++depth;
    if (what == conditional::other_branch && depth == 0) return true;
    if (what == conditional::begins && depth-- == 0) return false;
  }
  return false;
}

// Each branch begins in the same scopes. One that another branch replaces, or that may be skipped, closes none.
void rewriter::follow_conditional(std::size_t position) {
  switch (conditional_at(position)) {
    case conditional::begins:
      return conditionals_.push_back({scopes_, open_do_, false});
    case conditional::other_branch:
      if (conditionals_.empty()) return;
      scopes_ = conditionals_.back().scopes;
      open_do_ = conditionals_.back().open_do;
      conditionals_.back().has_other_branch = true;
      return;
    case conditional::ends:
      if (conditionals_.empty()) return;
      if (!conditionals_.back().has_other_branch) {
        scopes_ = conditionals_.back().scopes;
        open_do_ = conditionals_.back().open_do;
      }
      return conditionals_.pop_back();
    case conditional::none:
      return;
  }
}

}  // namespace lab::sim
