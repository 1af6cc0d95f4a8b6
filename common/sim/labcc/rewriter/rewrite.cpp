#include "sim/labcc/rewriter/rewrite.hpp"

#include <algorithm>

#include "sim/labcc/rewriter/rewriter.hpp"

namespace lab::sim {

std::size_t rewriter::line_of(std::size_t position) const {
  const auto at = position < tokens_.size() ? tokens_[position].begin : source_.size();
  return 1 + static_cast<std::size_t>(std::ranges::count(source_.substr(0, at), '\n'));
}

// The branches of an #if are alternatives, so each begins at the same depth.
std::size_t rewriter::closing(std::size_t open) const {
  int depth = 0;
  std::vector<int> depths;  // where the open #ifs begin
  for (std::size_t t = open; t < tokens_.size(); ++t) {
    const auto w = tokens_[t].words;
    const auto what = tokens_[open].directive ? conditional::none : conditional_at(t);
    if (what == conditional::begins) depths.push_back(depth);
    if (what == conditional::other_branch && depths.empty()) t = end_of_conditional(t);
    if (what == conditional::other_branch && !depths.empty()) depth = depths.back();
    if (what == conditional::ends && !depths.empty()) {
      if (!has_other_branch(t)) depth = depths.back();
      depths.pop_back();
    }
    if (tokens_[t].directive != tokens_[open].directive) continue;
    if (w == "(" || w == "[" || w == "{") ++depth;
    if ((w == ")" || w == "]" || w == "}") && --depth == 0) return t;
  }
  throw rewrite_error(line_of(open), "this bracket is never closed");
}

std::size_t rewriter::opening(std::size_t close, std::string_view left, std::string_view right) const {
  int depth = 0;
  for (std::size_t t = close + 1; t-- > 0;) {
    if (tokens_[t].words == right) ++depth;
    if (tokens_[t].words == left && --depth == 0) return t;
    if (tokens_[t].words == ";") break;
  }
  throw rewrite_error(line_of(close), "this bracket is never opened");
}

void rewriter::run() {
  find_macros();
  for (std::size_t t = 0; t < tokens_.size(); ++t) {
    const auto w = tokens_[t].words;
    if (w == "<<<") launch(t);
    if (w == "__shared__") shared(t);
    if (w == "__global__") kernel(t), split_at_barriers(t);
    if (w == "cudaLaunchKernel" || w == "cudaLaunchCooperativeKernel") launch_function(t);
    if (w == "__device__" || w == "__constant__" || w == "__managed__") variable(t);
    if (w == "static") static_variable(t);
    if (w == "__noinline__" && !(t > 0 && tokens_[t - 1].words == "("))
      edits_.replace(tokens_[t].begin, tokens_[t].end, "__attribute__((noinline))");
    if (tokens_[t].kind == token_kind::identifier) refuse(t);
    follow_conditional(t);
    device_code(t);
    if (w == "{" && !tokens_[t].directive) {
      scopes_.push_back({opens_namespace(t), opens_device_code(t), opens_code_of_both(t), has_barrier(t)});
      if (scopes_.back().of_both) both_bodies(t);
      if (scopes_.back().of_device) lanes_in_step(t);
    }
    if (w == "}" && !tokens_[t].directive && !scopes_.empty()) scopes_.pop_back();
    if (mark_loops_ && tokens_[t].kind == token_kind::identifier) loop(t);
    if (mark_loops_ && w == "return") mark_return(t);
  }
}

// Whether the brace belongs to a namespace, `extern "C"` or a class, whose declarations are not local variables.
bool rewriter::opens_namespace(std::size_t brace) const {
  for (std::size_t t = brace; t-- > 0;) {
    const auto w = tokens_[t].words;
    if (w == "namespace" || w == "extern") return true;
    if (w == ";" || w == "{" || w == "}" || w == ")" || w == "=" || tokens_[t].directive) return false;
  }
  return false;
}

bool rewriter::in_function() const {
  return std::ranges::any_of(scopes_, [](const scope& s) { return !s.of_namespace; });
}

// Whether the brace begins the body of a kernel or device function.
bool rewriter::opens_device_code(std::size_t brace) const {
  bool device = false;
  for (std::size_t t = statement_start(brace); t < brace; ++t) {
    const auto w = tokens_[t].words;
    if (w == "__host__") return false;
    device = device || w == "__global__" || w == "__device__";
  }
  return device;
}

bool rewriter::in_device_code() const { return std::ranges::any_of(scopes_, &scope::of_device); }

// Binds  extern __shared__ T name[];  to the block's dynamic shared memory. __shared__ itself stands for `static`, and
// for nvcc a variable of a known size is static also after `extern`.
void rewriter::shared(std::size_t position) {
  const std::size_t first = statement_start(position);
  for (std::size_t t = first; t <= position + 1 && t < tokens_.size(); ++t)
    if (tokens_[t].words == "static") edits_.replace(tokens_[t].begin, tokens_[t].end, "", tokens_[t].directive);
  std::size_t outer = first;
  while (outer < position && tokens_[outer].words != "extern") ++outer;
  std::size_t end = position;
  while (end < tokens_.size() && tokens_[end].words != ";") ++end;
  if (outer == position) return shared_alignment(position);
  std::size_t bracket = position;
  while (bracket < end && tokens_[bracket].words != "[") ++bracket;
  if (bracket == end && tokens_[position].directive)
    throw rewrite_error(line_of(position), "extern __shared__ in a macro needs an array without a size");
  if (bracket == end || tokens_[bracket + 1].words != "]") {
    edits_.replace(tokens_[outer].begin, tokens_[outer].end, "", tokens_[outer].directive);
    return shared_alignment(position);
  }
  if (in_function() || tokens_[position].directive)
    shared_local(outer, position, bracket, end);
  else
    shared_global(outer, position, end);
}

// C++ takes alignas() before the qualifiers; nvcc takes it also after __shared__.
void rewriter::shared_alignment(std::size_t position) {
  if (tokens_[position].directive || position + 1 >= tokens_.size() || tokens_[position + 1].words != "alignas") return;
  const std::size_t last = closing(position + 2);
  const std::string alignment{
      source_.substr(tokens_[position + 1].begin, tokens_[last].end - tokens_[position + 1].begin)};
  edits_.replace(tokens_[position + 1].begin, tokens_[last].end, "");
  edits_.insert(tokens_[position].begin, alignment + " ");
}

void rewriter::shared_local(std::size_t outer, std::size_t position, std::size_t bracket, std::size_t end) {
  for (std::size_t i = outer; i < bracket; ++i) {
    const bool aligns =
        tokens_[i].words == "__align__" || tokens_[i].words == "alignas" || tokens_[i].words == "__attribute__";
    const std::size_t last = aligns ? closing(i + 1) : i;
    if (aligns || i == outer || i == position)
      edits_.replace(tokens_[i].begin, tokens_[last].end, "", tokens_[i].directive);
    i = last;
  }
  edits_.insert(tokens_[bracket - 1].begin, "(&");
  edits_.insert(tokens_[bracket - 1].end, ")");
  edits_.insert(tokens_[end].begin, " = ::lab_sim::dynamic_shared()");
}

void rewriter::shared_global(std::size_t outer, std::size_t position, std::size_t end) {
  edits_.replace(tokens_[outer].begin, tokens_[outer].end, "extern __thread");
  edits_.replace(tokens_[position].begin, tokens_[position].end, "");
  edits_.insert(tokens_[end].begin, " asm(\"lab_sim_dynamic\") __attribute__((tls_model(\"initial-exec\")))");
}

std::size_t rewriter::statement_start(std::size_t position) const {
  while (position > 0) {
    const auto w = tokens_[position - 1].words;
    if (w == ";" || w == "{" || w == "}" || tokens_[position - 1].directive != tokens_[position].directive) break;
    --position;
  }
  return position;
}

std::optional<std::string> rewriter::result() { return edits_.empty() ? std::nullopt : std::optional{edits_.apply()}; }

std::optional<std::string> rewrite(std::string_view source, bool mark_loops) {
  rewriter r{source, mark_loops};
  r.run();
  return r.result();
}

}  // namespace lab::sim
