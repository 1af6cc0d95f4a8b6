#include "text/source_text.hpp"

#include <algorithm>
#include <string_view>

namespace lab {

namespace {

// The end of the comment, string or directive that begins at `at`, or `at` if none does.
std::size_t end_of_other_text(const std::string& text, std::size_t at, bool line_begins) {
  const auto until = [&](std::string_view end, std::size_t from) {
    const auto found = text.find(end, from);
    return found == std::string::npos ? text.size() : found;
  };
  if (text.compare(at, 2, "//") == 0) return until("\n", at);
  if (text.compare(at, 2, "/*") == 0) return std::min(until("*/", at + 2) + 2, text.size());
  if (line_begins && text[at] == '#') {
    auto end = until("\n", at);
    while (end < text.size() && text[end - 1] == '\\') end = until("\n", end + 1);
    return end;
  }
  const char quote = text[at];
  const bool digit_separator = quote == '\'' && at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1]));
  if ((quote != '"' && quote != '\'') || digit_separator) return at;
  auto end = at + 1;
  while (end < text.size() && text[end] != quote) end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

}  // namespace

std::string only_code(const std::string& source) {
  std::string code = source;
  bool line_begins = true;
  for (std::size_t at = 0; at < source.size();) {
    const auto end = end_of_other_text(source, at, line_begins);
    for (auto i = at; i < end; ++i)
      if (code[i] != '\n') code[i] = ' ';
    if (end > at) {
      at = end;
      continue;
    }
    line_begins = source[at] == '\n' || (line_begins && std::isspace(static_cast<unsigned char>(source[at])));
    ++at;
  }
  return code;
}

std::size_t closing_bracket(const std::string& code, std::size_t open) {
  int depth = 0;
  for (auto at = open; at < code.size(); ++at) {
    if (code[at] == '(' || code[at] == '[' || code[at] == '{') ++depth;
    if ((code[at] == ')' || code[at] == ']' || code[at] == '}') && --depth == 0) return at;
  }
  return std::string::npos;
}

}  // namespace lab
