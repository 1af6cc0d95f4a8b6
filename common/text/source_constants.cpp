#include "text/source_constants.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

#include "text/source_text.hpp"

namespace lab {

namespace {

constexpr std::string_view keyword = "constexpr";

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool whole_word(const std::string& code, std::size_t at) {
  return (at == 0 || !in_name(code[at - 1])) &&
         (at + keyword.size() == code.size() || !in_name(code[at + keyword.size()]));
}

// The first of these characters that stands in no brackets; npos if there is none.
std::size_t find_outside(const std::string& code, std::size_t from, std::string_view wanted) {
  for (auto at = from; at < code.size(); ++at) {
    if (wanted.find(code[at]) != std::string_view::npos) return at;
    if (code[at] != '(' && code[at] != '[' && code[at] != '{') continue;
    at = closing_bracket(code, at);
    if (at == std::string::npos) return at;
  }
  return std::string::npos;
}

// Where the name begins that ends before `end`; `end` if none does.
std::size_t name_before(const std::string& code, std::size_t& end) {
  while (end > 0 && std::isspace(static_cast<unsigned char>(code[end - 1])) != 0) --end;
  auto begin = end;
  while (begin > 0 && in_name(code[begin - 1])) --begin;
  return begin;
}

std::pair<std::size_t, std::size_t> without_spaces(const std::string& code, std::size_t begin, std::size_t end) {
  const auto space = [&](std::size_t at) { return std::isspace(static_cast<unsigned char>(code[at])) != 0; };
  while (begin < end && space(begin)) ++begin;
  while (begin < end && space(end - 1)) --end;
  return {begin, end};
}

// Adds the variables of the declaration that begins at `at`: `int a = 1, b = 2;` or `int a{1};`.
void add_declared(const std::string& source, const std::string& code, std::size_t at,
                  std::vector<source_constant>& all) {
  while (true) {
    const auto sign = find_outside(code, at, "={(;");
    if (sign == std::string::npos || code[sign] == '(' || code[sign] == ';') return;
    const bool braces = code[sign] == '{';
    if (!braces && code.compare(sign, 2, "==") == 0) return;
    const auto end = braces ? closing_bracket(code, sign) : find_outside(code, sign + 1, ",;");
    auto name_end = sign;
    const auto name = name_before(code, name_end);
    if (end == std::string::npos || name == name_end) return;
    const auto [from, to] = without_spaces(code, sign + 1, end);
    all.push_back(
        {source.substr(name, name_end - name), source.substr(from, to - from),
         1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(name), '\n')),
         from, to});
    const auto next = braces ? find_outside(code, end + 1, ",;") : end;
    if (next == std::string::npos || code[next] == ';') return;
    at = next + 1;
  }
}

}  // namespace

std::vector<source_constant> constants_in(const std::string& source) {
  const auto code = only_code(source);
  std::vector<source_constant> all;
  for (auto at = code.find(keyword); at != std::string::npos; at = code.find(keyword, at + 1))
    if (whole_word(code, at)) add_declared(source, code, at + keyword.size(), all);
  return all;
}

std::string with_values(std::string source, std::vector<std::pair<source_constant, std::string>> changes) {
  // From the end, so that the places of the others stay.
  std::ranges::sort(changes, std::ranges::greater{}, [](const auto& change) { return change.first.value_begin; });
  for (const auto& [constant, value] : changes)
    source.replace(constant.value_begin, constant.value_end - constant.value_begin, value);
  return source;
}

}  // namespace lab
