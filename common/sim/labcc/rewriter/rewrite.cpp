#include "sim/labcc/rewriter/rewrite.hpp"

#include <algorithm>

#include "sim/labcc/rewriter/rewriter.hpp"

namespace lab::sim {

std::size_t rewriter::line_of(std::size_t t) const {
  const auto at = t < tokens_.size() ? tokens_[t].begin : source_.size();
  return 1 + static_cast<std::size_t>(std::ranges::count(source_.substr(0, at), '\n'));
}

std::size_t rewriter::closing(std::size_t open) const {
  int depth = 0;
  for (std::size_t t = open; t < tokens_.size(); ++t) {
    const auto w = tokens_[t].words;
    if (w == "(" || w == "[" || w == "{") ++depth;
    if ((w == ")" || w == "]" || w == "}") && --depth == 0) return t;
  }
  throw rewrite_error(line_of(open), "no bracket closes this one");
}

std::size_t rewriter::opening(std::size_t close, std::string_view left, std::string_view right) const {
  int depth = 0;
  for (std::size_t t = close + 1; t-- > 0;) {
    if (tokens_[t].words == right) ++depth;
    if (tokens_[t].words == left && --depth == 0) return t;
    if (tokens_[t].words == ";") break;
  }
  throw rewrite_error(line_of(close), "no bracket opens this one");
}

void rewriter::run() {
  for (std::size_t t = 0; t < tokens_.size(); ++t) {
    const auto w = tokens_[t].words;
    if (w == "<<<") launch(t);
    if (w == "__shared__") shared(t);
    if (w == "__global__") kernel(t);
    if (w == "cudaLaunchKernel" || w == "cudaLaunchCooperativeKernel") launch_function(t);
    if (w == "__device__" || w == "__constant__" || w == "__managed__") variable(t);
    if (w == "__noinline__" && !(t > 0 && tokens_[t - 1].words == "("))
      edits_.replace(tokens_[t].begin, tokens_[t].end, "__attribute__((noinline))");
    if (tokens_[t].kind == token_kind::identifier) refuse(t);
    if (w == "{" && !tokens_[t].directive) scopes_.push_back({opens_namespace(t), opens_device_code(t)});
    if (w == "}" && !tokens_[t].directive && !scopes_.empty()) scopes_.pop_back();
    if (mark_loops_ && tokens_[t].kind == token_kind::identifier) loop(t);
  }
}

// A brace of a namespace, `extern "C"` or class: what is declared there is no local variable.
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

// The body of a kernel, or of what only kernels call.
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

// extern __shared__ T name[];  is bound to the block's dynamic shared memory.
void rewriter::shared(std::size_t t) {
  const std::size_t first = statement_start(t);
  std::size_t outer = first;
  while (outer < t && tokens_[outer].words != "extern") ++outer;
  std::size_t end = t;
  while (end < tokens_.size() && tokens_[end].words != ";") ++end;
  if (outer == t) return;
  std::size_t bracket = t;
  while (bracket < end && tokens_[bracket].words != "[") ++bracket;
  if (bracket == end) throw rewrite_error(line_of(t), "extern __shared__ needs an array without a size");
  if (in_function() || tokens_[t].directive)
    shared_local(outer, t, bracket, end);
  else
    shared_global(outer, t, end);
}

void rewriter::shared_local(std::size_t outer, std::size_t t, std::size_t bracket, std::size_t end) {
  for (std::size_t i = outer; i < bracket; ++i) {
    const bool aligns =
        tokens_[i].words == "__align__" || tokens_[i].words == "alignas" || tokens_[i].words == "__attribute__";
    const std::size_t last = aligns ? closing(i + 1) : i;
    if (aligns || i == outer || i == t) edits_.replace(tokens_[i].begin, tokens_[last].end, "", tokens_[i].directive);
    i = last;
  }
  edits_.insert(tokens_[bracket - 1].begin, "(&");
  edits_.insert(tokens_[bracket - 1].end, ")");
  edits_.insert(tokens_[end].begin, " = ::lab_sim::dynamic_shared()");
}

void rewriter::shared_global(std::size_t outer, std::size_t t, std::size_t end) {
  edits_.replace(tokens_[outer].begin, tokens_[outer].end, "extern __thread");
  edits_.replace(tokens_[t].begin, tokens_[t].end, "");
  edits_.insert(tokens_[end].begin, " asm(\"lab_sim_dynamic\") __attribute__((tls_model(\"initial-exec\")))");
}

std::size_t rewriter::statement_start(std::size_t t) const {
  while (t > 0) {
    const auto w = tokens_[t - 1].words;
    if (w == ";" || w == "{" || w == "}" || tokens_[t - 1].directive != tokens_[t].directive) break;
    --t;
  }
  return t;
}

std::optional<std::string> rewriter::result() { return edits_.empty() ? std::nullopt : std::optional{edits_.apply()}; }

std::optional<std::string> rewrite(std::string_view source, bool mark_loops) {
  rewriter r{source, mark_loops};
  r.run();
  return r.result();
}

}  // namespace lab::sim
