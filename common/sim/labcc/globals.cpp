#include "rewriter.hpp"

// What is declared at namespace scope tells the runtime of itself when the program starts.

namespace lab::sim {

namespace {

bool takes_arguments(std::string_view w) {
  return w == "__launch_bounds__" || w == "__cluster_dims__" || w == "__attribute__" || w == "__align__" ||
         w == "alignas" || w == "__block_size__";
}

}  // namespace

// A kernel that is no template can be launched by its address alone.
void rewriter::kernel(std::size_t t) {
  if (tokens_[t].directive || in_function() || tokens_[statement_start(t)].words == "template") return;
  std::size_t open = t + 1;
  for (; open < tokens_.size() && tokens_[open].words != "("; ++open)
    if (takes_arguments(tokens_[open].words)) open = closing(open + 1);
  if (open >= tokens_.size() || tokens_[open - 1].kind != token_kind::identifier) return;
  const std::size_t body = closing(open) + 1;
  if (body >= tokens_.size() || tokens_[body].words != "{") return;
  const std::string name{tokens_[open - 1].words};
  edits_.insert(tokens_[closing(body)].end,
                " namespace { [[maybe_unused]] const bool lab_kernel_" + std::to_string(t) +
                    " = [](auto lab_t) { if constexpr (requires { ::lab_sim::address(lab_t, " + name +
                    "); }) return ::lab_sim::register_kernel(lab_t, " + name + "); else return false; }(0); }");
}

}  // namespace lab::sim
