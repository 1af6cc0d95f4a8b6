#include "judge/source_functions.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "text/source_text.hpp"

namespace lab::judge {

namespace {

bool part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::set<std::string> words_of(const std::string& code) {
  std::set<std::string> words;
  for (auto at = code.begin(); at != code.end();) {
    const auto begin = std::find_if(at, code.end(), part_of_name);
    at = std::find_if_not(begin, code.end(), part_of_name);
    if (begin != at) words.emplace(begin, at);
  }
  return words;
}

int line_of(const std::string& code, std::size_t at) {
  return 1 + static_cast<int>(std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::size_t opening_bracket(const std::string& code, std::size_t close) {
  int depth = 0;
  for (auto at = close + 1; at-- > 0;) {
    if (code[at] == ')') ++depth;
    if (code[at] == '(' && --depth == 0) return at;
  }
  return std::string::npos;
}

// "kernel" of "__global__ void __launch_bounds__(256) kernel(int* a)"; empty for classes, arrays and lambdas.
std::string name_in(const std::string& head) {
  const auto close = head.find_last_of(')');
  const auto open = close == std::string::npos ? close : opening_bracket(head, close);
  if (open == std::string::npos || head.substr(0, open).find('=') != std::string::npos) return "";
  auto end = open;
  while (end > 0 && std::isspace(static_cast<unsigned char>(head[end - 1])) != 0) --end;
  auto begin = end;
  while (begin > 0 && part_of_name(head[begin - 1])) --begin;
  return head.substr(begin, end - begin);
}

bool encloses_functions(const std::string& head) {
  const auto words = words_of(head);
  return words.contains("namespace") || (words.contains("extern") && name_in(head).empty());
}

// The text of directives, and of declarations outside of functions: what both name may be used by any function.
std::string outside(const std::string& source, const std::vector<source_function>& functions) {
  std::istringstream lines{source}, code{only_code(source)};
  std::string text, line, clean;
  for (int number = 1; std::getline(lines, line) && std::getline(code, clean); ++number) {
    const auto first = line.find_first_not_of(" \t");
    const bool inside = std::ranges::any_of(
        functions, [&](const source_function& f) { return f.first_line <= number && number <= f.last_line; });
    if (first != std::string::npos && line[first] == '#')
      text += line + "\n";
    else if (!inside)
      text += clean + "\n";
  }
  return text;
}

}  // namespace

std::vector<source_function> functions_in(const std::string& source) {
  const auto code = only_code(source);
  std::vector<source_function> all;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] == ';' || code[at] == '}') begin = at + 1;
    if (code[at] != '{') continue;
    const auto head = code.substr(begin, at - begin);
    const auto close = encloses_functions(head) ? at : closing_bracket(code, at);
    if (close == std::string::npos) break;
    const auto name = close == at ? "" : name_in(head);
    const auto first = std::min(code.find_first_not_of(" \t\n", begin), at);
    if (!name.empty())
      all.push_back({name, line_of(code, first), line_of(code, close), code.substr(first, close + 1 - first)});
    at = close;
    begin = at + 1;
  }
  return all;
}

std::vector<source_function> functions_unreached_from(const std::string& source, const std::string& name) {
  auto rest = functions_in(source);
  if (std::ranges::count(rest, name, &source_function::name) == 0) return {};
  auto reached = words_of(outside(source, rest));
  reached.insert(name);
  const auto is_reached = [&](const source_function& f) { return reached.contains(f.name); };
  for (auto next = std::ranges::find_if(rest, is_reached); next != rest.end();
       next = std::ranges::find_if(rest, is_reached)) {
    reached.merge(words_of(next->code));
    rest.erase(next);
  }
  return rest;
}

}  // namespace lab::judge
