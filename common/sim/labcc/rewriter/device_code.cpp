#include <algorithm>

#include "sim/labcc/rewriter/rewriter.hpp"
#include "sim/labcc/rewriter/unsupported.hpp"

// What device code means on a device and not on the host: shifts, clock(), __CUDA_ARCH__.

namespace lab::sim {

namespace {

constexpr const char* arch = "__CUDA_ARCH__";
constexpr const char* arch_of_device = "LAB_SIM_CUDA_ARCH";

}  // namespace

bool rewriter::runs_on_device() const {
  return std::ranges::any_of(scopes_, [](const scope& s) { return s.of_device || s.of_both; });
}

// Whether the brace begins the body of a function for host and device.
bool rewriter::opens_code_of_both(std::size_t brace) const {
  bool host = false, device = false;
  for (std::size_t t = statement_start(brace); t < brace; ++t) {
    host = host || tokens_[t].words == "__host__";
    device = device || tokens_[t].words == "__device__";
  }
  return host && device;
}

void rewriter::device_code(std::size_t position) {
  const auto w = tokens_[position].words;
  if (w == arch) return architecture(position);
  if (tokens_[position].directive || !runs_on_device()) return;
  if (w == "<" || w == ">") shift(position);
  if (tokens_[position].kind == token_kind::identifier) shifts_of_macro(w);
  const auto next = [&](std::size_t n) { return position + n < tokens_.size() ? tokens_[position + n].words : ""; };
  const auto before = position > 0 ? tokens_[position - 1].words : "";
  if (w == "clock" && next(1) == "(" && next(2) == ")" && before != "." && before != "->" && before != "::")
    edits_.replace(tokens_[position].begin, tokens_[position].end, "::lab_sim::device_clock");
}

// The device clamps the amount of a shift. A literal amount needs nothing.
void rewriter::shift(std::size_t position) {
  const auto adjacent = [&](std::size_t t) {
    return t + 1 < tokens_.size() && tokens_[t].end == tokens_[t + 1].begin ? tokens_[t + 1].words : "";
  };
  const auto w = tokens_[position].words;
  const bool second = position > 0 && tokens_[position - 1].words == w && adjacent(position - 1) == w;
  if (adjacent(position) != w || second || position == 0 || tokens_[position - 1].words == "operator") return;
  const bool assigns = adjacent(position + 1) == "=";
  const std::size_t amount = position + (assigns ? 3 : 2);
  if (amount + 1 >= tokens_.size() || adjacent(position + 1) == w) return;
  const auto after = tokens_[amount + 1].words;
  const bool ends = after == ";" || after == ")" || after == "," || after == "]" || after == "&" || after == "|" ||
                    after == "^" || after == "=" || after == "?" || after == ":" || after == "<" || after == ">";
  if (tokens_[amount].kind == token_kind::number && ends) return;
  if ((w == ">" && !assigns && closes_templates(position)) || prints(position)) return;
  edits_.insert(tokens_[amount - 1].end,
                assigns ? " ::lab_sim::by =" : std::string{" ::lab_sim::by "} + (w == "<" ? "<<" : ">>"));
}

// Whether two `>` end two lists of template arguments: a type's name is all that stands between them and two `<`.
bool rewriter::closes_templates(std::size_t position) const {
  int open = 0, brackets = 0;
  for (std::size_t t = position; t-- > 0;) {
    const auto w = tokens_[t].words;
    if (w == ")" || w == "]") ++brackets;
    if ((w == "(" || w == "[") && brackets-- == 0) return false;
    if (brackets > 0 || w == "(" || w == "[") continue;
    if (w == "<" && t > 0 && tokens_[t - 1].kind == token_kind::identifier && ++open == 2) return true;
    const bool of_a_type = tokens_[t].kind != token_kind::punctuation || w == "::" || w == "," || w == "*" ||
                           w == "<" || w == "." || (w == "&" && tokens_[t + 1].words != "&");
    if (!of_a_type || w == "return") return false;
  }
  return false;
}

// Whether the statement writes to a stream of the host.
bool rewriter::prints(std::size_t position) const {
  for (std::size_t t = statement_start(position); t + 1 < tokens_.size() && tokens_[t].words != ";"; ++t) {
    const bool beside = tokens_[t + 1].words == "<" || (t > 0 && tokens_[t - 1].words == "<");
    if (tokens_[t].words == "cout" || tokens_[t].words == "cerr") return true;
    if (tokens_[t].kind == token_kind::text && beside) return true;
  }
  return false;
}

// __CUDA_ARCH__ is defined where only device code depends on it.
void rewriter::architecture(std::size_t position) {
  const auto device_sees = [&] {
    if (!tokens_[position].directive) return runs_on_device();
    std::size_t first = position;
    while (first > 0 && !(tokens_[first].words == "#" && tokens_[first].directive)) --first;
    const auto what = conditional_at(first);
    if (what == conditional::none || what == conditional::ends) return false;
    if (what == conditional::other_branch) first = start_of_conditional(first);
    return device_view(first);
  };
  if (device_sees())
    edits_.replace(tokens_[position].begin, tokens_[position].end, arch_of_device, tokens_[position].directive);
}

std::size_t rewriter::start_of_conditional(std::size_t position) const {
  int depth = 1;
  for (std::size_t t = position; t-- > 0;) {
    const auto what = conditional_at(t);
    if (what == conditional::ends) ++depth;
    if (what == conditional::begins && --depth == 0) return t;
  }
  return position;
}

// Whether the #if at this position chooses what the device executes. One with a branch that the simulator cannot
// compile keeps the branch for the host.
bool rewriter::device_view(std::size_t first) const {
  bool device = runs_on_device(), only_macros = true;
  const std::size_t end = end_of_conditional(first);
  for (std::size_t t = first; t < end; ++t) {
    const auto w = tokens_[t].words, next = tokens_[t + 1].words;
    if ((w == "asm" || w == "__asm__") && refuses_assembly(t)) return false;
    if (!unsupported_type(w).empty() || !unsupported_function(w, next).empty()) return false;
    if (w == "include" && tokens_[t].directive) return false;
    only_macros = only_macros && tokens_[t].directive;
    if (w == "__global__") device = true;
    if (w != "__device__" || tokens_[t].directive) continue;
    std::size_t last = t;
    while (last < end && tokens_[last].words != "(" && tokens_[last].words != ";") ++last;
    const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(statement_start(t));
    const auto of_host = [](const token& other) { return other.words == "__host__"; };
    device = device || std::none_of(begin, tokens_.begin() + static_cast<std::ptrdiff_t>(last), of_host);
  }
  return device || only_macros;
}

// A function for host and device whose text depends on __CUDA_ARCH__ gets both of its bodies:
//   { if (::lab_sim::on_device()) { body } else { body, where __CUDA_ARCH__ is undefined } }
void rewriter::both_bodies(std::size_t brace) {
  const std::size_t end = closing(brace);
  bool differs = false;
  for (std::size_t t = brace; t < end; ++t) {
    if (tokens_[t].words == "<<<") return;
    differs = differs || (tokens_[t].words == arch && tokens_[t].directive);
  }
  if (!differs) return;
  const auto line = [&](std::size_t t) { return "\n#line " + std::to_string(line_of(t)) + "\n"; };
  const std::string body{source_.substr(tokens_[brace].begin, tokens_[end].end - tokens_[brace].begin)};
  edits_.insert(tokens_[brace].begin, "{ if (::lab_sim::on_device()) ");
  edits_.insert(tokens_[end].end, " else" + line(brace) + body + line(end) + "}");
}

}  // namespace lab::sim
