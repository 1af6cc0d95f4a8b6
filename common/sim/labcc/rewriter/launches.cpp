#include "sim/labcc/rewriter/rewriter.hpp"
#include "sim/labcc/rewriter/unsupported.hpp"

namespace lab::sim {

namespace {

std::string quoted(const std::string& words) {
  std::string text = "\"";
  for (const char c : words) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

bool is_keyword(std::string_view word) {
  return word == "return" || word == "if" || word == "while" || word == "for" || word == "else" || word == "do" ||
         word == "switch";
}

}  // namespace

std::size_t rewriter::template_start(std::size_t close) const {
  int depth = 0;
  for (std::size_t t = close + 1; t-- > 0;) {
    const auto w = tokens_[t].words;
    if (w == ")") t = opening(t, "(", ")");
    if (w == ">") ++depth;
    if (w == "<" && --depth == 0) return t;
    if (w == ";" || w == "{" || w == "}") break;
  }
  throw rewrite_error(line_of(close), "the template arguments of this launch have no <");
}

// Goes back over  a::b<...>::kernel<...>,  (*pointer)  or  MACRO(...).
std::size_t rewriter::kernel_start(std::size_t position) const {
  if (position == 0) throw rewrite_error(1, "no kernel name precedes <<<");
  std::size_t first = position - 1;
  if (tokens_[first].words == ")") {
    first = opening(first, "(", ")");
    const bool macro = first > 0 && tokens_[first - 1].kind == token_kind::identifier;
    return macro && !is_keyword(tokens_[first - 1].words) ? first - 1 : first;
  }
  for (;;) {
    if (tokens_[first].words == ">") first = template_start(first) - 1;
    if (tokens_[first].kind != token_kind::identifier)
      throw rewrite_error(line_of(position), "no kernel name precedes <<<");
    if (first > 0 && tokens_[first - 1].words == "template") --first;
    if (first == 0 ||
        (tokens_[first - 1].words != "::" && tokens_[first - 1].words != "." && tokens_[first - 1].words != "->"))
      return first;
    --first;
    const bool qualified =
        first > 0 && (tokens_[first - 1].words == ">" ||
                      (tokens_[first - 1].kind == token_kind::identifier && !is_keyword(tokens_[first - 1].words)));
    if (!qualified) return first;
    --first;
  }
}

std::string rewriter::kernel_words(std::size_t first, std::size_t end) const {
  std::string words;
  for (std::size_t t = first; t < end; ++t) {
    const bool apart = !words.empty() && tokens_[t].begin > tokens_[t - 1].end;
    words += (apart ? " " : "") + std::string{tokens_[t].words};
  }
  return words;
}

// In a macro the kernel may be a parameter, whose name only the preprocessor knows.
std::string rewriter::kernel_name(std::size_t first, std::size_t end) const {
  const std::string words = kernel_words(first, end);
  if (!tokens_[first].directive || end - first != 1) return quoted(words);
  std::size_t d = first;
  while (d > 0 && tokens_[d].words != "#") --d;
  const bool has_parameters =
      d + 3 < first && tokens_[d + 3].words == "(" && tokens_[d + 3].begin == tokens_[d + 2].end;
  if (!has_parameters) return quoted(words);
  for (std::size_t p = d + 4; tokens_[p].words != ")"; ++p)
    if (tokens_[p].words == words) return "#" + words;
  return quoted(words);
}

// A literal 0 may be a null pointer, which an ordinary template argument does not convert to.
bool rewriter::mark_zeros(std::size_t open, std::size_t close) {
  bool any = false;
  for (std::size_t t = open + 1; t < close; ++t) {
    const auto w = tokens_[t].words, before = tokens_[t - 1].words, after = tokens_[t + 1].words;
    const bool alone = (before == "(" || before == ",") && (after == ")" || after == ",");
    const bool outermost = t - 1 == open || before == ",";
    if (!(alone && outermost && (w == "0" || w == "NULL")) || (after == ")" && t + 1 != close)) continue;
    edits_.replace(tokens_[t].begin, tokens_[t].end, "::lab_sim::zero{}");
    any = true;
  }
  return any;
}

void rewriter::launch(std::size_t position) {
  const std::size_t first = kernel_start(position);
  std::size_t end = position + 1;
  for (; end < tokens_.size() && tokens_[end].words != ">>>"; ++end)
    if (tokens_[end].words == "(" || tokens_[end].words == "{") end = closing(end);
  if (end + 1 >= tokens_.size())
    throw rewrite_error(line_of(position), "this launch needs >>> and a list of arguments");
  const std::size_t open = end + 1, close = closing(open);
  const std::string kernel = kernel_words(first, position), plain = kernel + "(lab_a...)";
  std::string call = plain + ";";
  if (mark_zeros(open, close))
    call = "::lab_sim::with_zeros([&](auto... lab_b) -> decltype(" + kernel + "(lab_b...)) { return " + kernel +
           "(lab_b...); }, lab_a...);";
  const std::string head = "::lab_sim::launch(" + kernel_name(first, position) + ", [&](auto... lab_a) { " + call +
                           " }, [&](auto lab_t) -> decltype(::lab_sim::address(lab_t, " + kernel +
                           ")) { return ::lab_sim::address(lab_t, " + kernel + "); }, ::lab_sim::config(";
  const bool directive = tokens_[position].directive;
  edits_.replace(tokens_[first].begin, tokens_[position].end, head, directive);
  edits_.replace(tokens_[end].begin, tokens_[open].end, close == open + 1 ? ")" : "), ", directive);
}

// cudaLaunchKernel((void*)kernel<int>, ...): removes the cast, because the kernel's type is needed to read the
// arguments.
void rewriter::launch_function(std::size_t position) {
  const auto word = [&](std::size_t i) { return i < tokens_.size() ? tokens_[i].words : std::string_view{}; };
  if (word(position + 1) != "(") return;
  std::size_t at = position + 2;
  if (word(at) == "(") {
    at += word(at + 1) == "const" ? 2 : 1;
    if (word(at) != "void" || word(at + 1) != "*" || word(at + 2) != ")") return;
    edits_.replace(tokens_[position + 2].begin, tokens_[at + 2].end, "", tokens_[position].directive);
  } else if (word(at) == "reinterpret_cast" && word(at + 1) == "<") {
    while (word(at) != ">") ++at;
    edits_.replace(tokens_[position + 2].begin, tokens_[at].end, "", tokens_[position].directive);
  }
}

}  // namespace lab::sim
