#include <algorithm>

#include "sim/labcc/rewriter/register_loops.hpp"
#include "sim/labcc/rewriter/rewriter.hpp"

// A traced loop with accesses reports its entry and each iteration, so the tracer knows which lanes are in the same
// one:
//   for (LAB_SIM_LOOP lab_loop; lab_loop.once();) for (init; ::lab_sim::iterate() && (condition); step) ...

namespace lab::sim {

namespace {

constexpr const char* enter = "for (LAB_SIM_LOOP lab_loop; lab_loop.once();) ";
constexpr const char* mark = "::lab_sim::iterate() && (";

}  // namespace

// `while (type name = ...)` must stay a declaration.
bool rewriter::declares(std::size_t open, std::size_t close) const {
  if (open + 3 >= close) return false;
  for (std::size_t t = open + 1; t + 1 < close; ++t) {
    if (tokens_[t].words != "=") continue;
    if (tokens_[t + 1].words == "=" || t < open + 3) return false;
    const auto w = tokens_[t - 2].words;
    return tokens_[t - 1].kind == token_kind::identifier &&
           (tokens_[t - 2].kind == token_kind::identifier || w == "*" || w == "&" || w == ">");
  }
  return false;
}

void rewriter::mark_condition(std::size_t first, std::size_t end) {
  if (first == end) {
    edits_.insert(tokens_[first].begin, "::lab_sim::iterate()");
    return;
  }
  edits_.insert(tokens_[first].begin, mark);
  edits_.insert(tokens_[end - 1].end, ")");
}

void rewriter::mark_for(std::size_t position) {
  const std::size_t open = position + 1, close = closing(open);
  std::vector<std::size_t> semicolons;
  for (std::size_t i = open + 1; i < close; ++i) {
    const auto w = tokens_[i].words;
    if (w == "(" || w == "{" || w == "[") i = closing(i);
    if (w == ";") semicolons.push_back(i);
  }
  edits_.insert(tokens_[position].begin, enter);
  if (semicolons.size() == 2 && !declares(semicolons[0], semicolons[1]))
    mark_condition(semicolons[0] + 1, semicolons[1]);
}

void rewriter::mark_while(std::size_t position) {
  const std::size_t open = position + 1, close = closing(open);
  const bool ends_do = !open_do_.empty() && open_do_.back() == scopes_.size() && position > 0 &&
                       (tokens_[position - 1].words == "}" || tokens_[position - 1].words == ";");
  if (ends_do)
    open_do_.pop_back();
  else
    edits_.insert(tokens_[position].begin, enter);
  if (!declares(open, close)) mark_condition(open + 1, close);
}

void rewriter::loop(std::size_t position) {
  if (tokens_[position].directive || !in_function() || position + 1 >= tokens_.size()) return;
  const auto w = tokens_[position].words;
  if (w == "for") keep_openmp_form(position);
  if (unmarked_.contains(position) || computes_in_registers(tokens_, position)) return;
  const bool has_condition = tokens_[position + 1].words == "(";
  if (w == "for" && has_condition) mark_for(position);
  if (w == "while" && has_condition) mark_while(position);
  if (w == "do") {
    edits_.insert(tokens_[position].begin, enter);
    open_do_.push_back(scopes_.size());
  }
}

// A traced thread reports its return statements: a barrier may leave out threads that have returned before it, but not
// those that pass it by. Only functions without a result, and those that contain a barrier, need the mark:
//   { ::lab_sim::leaves(); return; }

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
