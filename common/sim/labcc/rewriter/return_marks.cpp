#include <algorithm>

#include "sim/labcc/rewriter/rewriter.hpp"

// A traced thread reports its return statements: a barrier may leave out threads that have returned before it, but not
// those that pass it by. Only functions without a result, and those that contain a barrier, need the mark:
//   { ::lab_sim::leaves(); return; }

namespace lab::sim {

bool rewriter::has_barrier(std::size_t brace) const {
  if (!mark_loops_ || !opens_device_code(brace)) return false;
  const auto first = tokens_.begin() + static_cast<std::ptrdiff_t>(brace);
  const auto last = tokens_.begin() + static_cast<std::ptrdiff_t>(closing(brace));
  return std::any_of(first, last,
                     [](const token& t) { return t.words.starts_with("__syncthreads") || t.words == "sync"; });
}

void rewriter::mark_return(std::size_t position) {
  if (tokens_[position].directive || !in_device_code() || position + 1 >= tokens_.size()) return;
  const bool of_barrier = std::ranges::any_of(scopes_, &scope::has_barrier);
  if (tokens_[position + 1].words != ";" && !of_barrier) return;
  std::size_t end = position + 1;
  for (; end < tokens_.size() && tokens_[end].words != ";"; ++end)
    if (const auto w = tokens_[end].words; w == "(" || w == "{" || w == "[") end = closing(end);
  if (end >= tokens_.size()) return;
  edits_.insert(tokens_[position].begin, "{ ::lab_sim::leaves(); ");
  edits_.insert(tokens_[end].end, " }");
}

}  // namespace lab::sim
