#include "sim/labcc/rewriter/rewriter.hpp"
#include "sim/labcc/rewriter/unsupported.hpp"

// Kernels and variables at namespace scope register themselves with the runtime when the program starts.

namespace lab::sim {

namespace {

bool takes_arguments(std::string_view word) {
  return word == "__launch_bounds__" || word == "__cluster_dims__" || word == "__attribute__" || word == "__align__" ||
         word == "alignas" || word == "__block_size__";
}

// nvcc refuses more constant memory than a device has.
std::string limit_of(const std::string& bytes) {
  return " static_assert(" + bytes + " <= 65536, \"a device has 64 KB of constant memory\");";
}

}  // namespace

// A kernel that is not a template can be launched by its address.
void rewriter::kernel(std::size_t position) {
  if (tokens_[position].directive || in_function() || tokens_[statement_start(position)].words == "template") return;
  std::size_t open = position + 1;
  for (; open < tokens_.size() && tokens_[open].words != "("; ++open)
    if (takes_arguments(tokens_[open].words)) open = closing(open + 1);
  if (open >= tokens_.size() || tokens_[open - 1].kind != token_kind::identifier) return;
  const std::size_t body = closing(open) + 1;
  if (body >= tokens_.size() || tokens_[body].words != "{") return;
  const std::string name{tokens_[open - 1].words};
  edits_.insert(tokens_[closing(body)].end,
                " namespace { [[maybe_unused]] const bool LAB_SIM_UNIQUE(lab_kernel_) = ::lab_sim::register_if_unique("
                "[](auto lab_t) -> decltype(::lab_sim::register_kernel(lab_t, " +
                    name + ")) { return ::lab_sim::register_kernel(lab_t, " + name + "); }); }");
}

// A kernel's definition tells the runtime how many blocks a cluster has.
void rewriter::cluster_size(std::size_t position) {
  if (tokens_[position].directive) {
    const auto before = tokens_[position - 1].words;
    const bool asks = before == "ifdef" || before == "ifndef" || before == "defined" || before == "(";
    if (!asks && before != "define" && before != "undef")
      edits_.insert(tokens_[position].begin, refusal("__cluster_dims__ in a macro (name the cluster in the launch)"));
    return;
  }
  const std::size_t close = closing(position + 1);
  std::size_t body = close + 1;
  for (; body < tokens_.size() && tokens_[body].words != "{"; ++body) {
    if (tokens_[body].words == ";") return;
    if (tokens_[body].words == "(") body = closing(body);
  }
  if (body >= tokens_.size()) return;
  const auto blocks = source_.substr(tokens_[position + 1].begin, tokens_[close].end - tokens_[position + 1].begin);
  edits_.insert(tokens_[body].end, " struct lab_cluster { static constexpr ::dim3 blocks() { return ::dim3" +
                                       std::string{blocks} +
                                       "; } }; [[maybe_unused]] static constexpr const bool* "
                                       "LAB_SIM_UNIQUE(lab_static_) = "
                                       "&::lab_sim::kernel_cluster<lab_cluster>::registered;");
}

// Finds the comma or semicolon after a declarator, and its name, which is empty if it declares a function.
std::size_t rewriter::declarator(std::size_t position, std::string& name) const {
  int angles = 0;
  bool named = false;
  for (; position < tokens_.size(); ++position) {
    const auto w = tokens_[position].words;
    const bool outside = angles == 0;
    if (outside && (w == ";" || w == ",")) return position;
    if (outside && w == "operator") return name.clear(), tokens_.size();
    if (outside && !named && w == "(" && tokens_[position + 1].words != "*") return name.clear(), tokens_.size();
    if (outside && !named && w == "(") {  // of a pointer to a function
      name = tokens_[position + 2].words;
      named = true;
    }
    if (takes_arguments(w) || w == "[" || w == "{" || (w == "(" && named)) {
      position = closing(takes_arguments(w) ? position + 1 : position);
      named = named || !takes_arguments(w);
      continue;
    }
    if (w == "<" && !named) ++angles;
    if (w == ">" && !named) --angles;
    named = named || w == "=" || w == "[";
    if (!named && outside && tokens_[position].kind == token_kind::identifier) name = w;
  }
  return position;
}

// A variable that kernels may access. Like all device allocations, it is aligned to 256 bytes.
void rewriter::variable(std::size_t position) {
  const std::size_t first = statement_start(position);
  if (tokens_[position].directive || in_function()) return;
  std::string qualifier, names, bytes = "0";
  bool fixed = false;
  for (std::size_t i = first; i < position; ++i) {
    const auto w = tokens_[i].words;
    if (w == "template" || w == "extern" || w == "__device__" || w == "__constant__" || w == "__managed__") return;
  }
  qualifier = tokens_[position].words;
  std::size_t at = position + 1;
  for (std::string name; at < tokens_.size(); name.clear(), ++at) {
    const std::size_t begin = at;
    at = declarator(at, name);
    if (at >= tokens_.size() || name.empty()) return;
    bool initialized = false;
    for (std::size_t i = begin; i < at; ++i) {
      const auto w = tokens_[i].words;
      initialized = initialized || w == "=" || w == "{";
      fixed = fixed || w == "const" || w == "constexpr";
      if (w == "__constant__" || w == "__managed__") qualifier = w;
    }
    names += " && ::lab_sim::register_variable(&" + name + ", sizeof(" + name + "), \"" + name + "\", \"" + qualifier +
             "\", " + (initialized ? "true" : "false") + ")";
    bytes += " + sizeof(" + name + ")";
    if (tokens_[at].words == ";") break;
  }
  if (at >= tokens_.size()) return;
  if (!fixed) edits_.insert(tokens_[position].end, " __attribute__((aligned(256)))");
  edits_.insert(tokens_[at].end, " namespace { [[maybe_unused]] const bool LAB_SIM_UNIQUE(lab_variable_) = true" +
                                     names + "; }" + (qualifier == "__constant__" ? limit_of(bytes) : ""));
}

// A static variable of device code is in device memory. A constant needs no registration: no store reaches it.
void rewriter::static_variable(std::size_t position) {
  if (tokens_[position].directive || !in_device_code() || statement_start(position) != position) return;
  std::string registrations;
  std::size_t at = position + 1;
  for (std::string name; at < tokens_.size(); name.clear(), ++at) {
    at = declarator(at, name);
    if (at >= tokens_.size() || name.empty()) return;
    registrations +=
        " [[maybe_unused]] static constexpr const bool* LAB_SIM_UNIQUE(lab_static_) = "
        "&::lab_sim::static_variable<&" +
        name + ">::registered;";
    if (tokens_[at].words == ";") break;
  }
  for (std::size_t t = position; t < at; ++t)
    for (const auto* const other : {"__shared__", "const", "constexpr", "__constant__", "__device__", "thread_local"})
      if (tokens_[t].words == other) return;
  edits_.insert(tokens_[position].end, " __attribute__((aligned(256)))");
  if (at < tokens_.size()) edits_.insert(tokens_[at].end, registrations);
}

}  // namespace lab::sim
