#include <algorithm>
#include <cctype>

#include "sim/labcc/ptx/ptx.hpp"

// Splits the text of an asm statement into instructions.

namespace lab::sim {

namespace {

std::string_view trimmed(std::string_view s) {
  const std::string_view blank = " \t\r\n";
  const auto first = s.find_first_not_of(blank);
  return first == s.npos ? std::string_view{} : s.substr(first, s.find_last_not_of(blank) - first + 1);
}

std::string without_comments(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") i = std::min(text.find('\n', i), text.size());
    if (text.substr(i, 2) == "/*") i = std::min(text.find("*/", i), text.size() - 2) + 2;
    if (i < text.size()) result += text[i];
  }
  return result;
}

// Splits at commas that are in no bracket.
std::vector<std::string_view> split(std::string_view s, char at) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= s.size(); ++i) {
    const char c = i < s.size() ? s[i] : at;
    depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    if (i < s.size() && (c != at || depth > 0)) continue;
    if (const auto part = trimmed(s.substr(begin, i - begin)); !part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

// 0f3F800000 holds the bits of a float, 0d and 16 digits those of a double.
std::string constant(std::string_view name) {
  const bool single = name.size() == 10 && (name.starts_with("0f") || name.starts_with("0F"));
  const bool wide = name.size() == 18 && (name.starts_with("0d") || name.starts_with("0D"));
  if (!single && !wide) return std::string{name};
  const std::string digits{name.substr(2)};
  return single ? "::__uint_as_float(0x" + digits + "u)" : "::__longlong_as_double(0x" + digits + "ll)";
}

// %3 is an operand of the asm statement, %laneid and %%laneid are a special register, a number stays, and another name
// is a register of the text.
std::string cpp_name(std::string_view name) {
  if (name.starts_with("%%")) return "special_" + std::string{name.substr(2)};
  const bool number = name.size() > 1 && std::isdigit(static_cast<unsigned char>(name[1]));
  if (name.starts_with('%')) return (number ? "_" : "special_") + std::string{name.substr(1)};
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || name[0] == '-') return constant(name);
  return "r_" + std::string{name};
}

ptx_operand operand_of(std::string_view text) {
  ptx_operand result;
  const auto inner = text.size() > 1 ? text.substr(1, text.size() - 2) : std::string_view{};
  if (text.starts_with('{')) {
    result.what = ptx_operand::list;
    for (const auto name : split(inner, ',')) result.names.push_back(cpp_name(name));
  } else if (text.starts_with('[')) {
    result.what = ptx_operand::address;
    const auto parts = split(inner, ',');
    const auto base = parts.empty() ? inner : parts[0];
    const auto plus = base.find('+');
    result.names.push_back(cpp_name(trimmed(base.substr(0, plus))));
    if (plus != base.npos) result.offset = cpp_name(trimmed(base.substr(plus + 1)));
    // A tensor's map is followed by a place in braces.
    if (parts.size() == 2 && parts[1].size() > 1)
      for (const auto name : split(parts[1].substr(1, parts[1].size() - 2), ','))
        result.names.push_back(cpp_name(name));
  } else {
    const auto bar = std::min(text.find('|'), text.size());
    result.names.push_back(cpp_name(trimmed(text.substr(0, bar))));
    if (bar < text.size()) result.predicate = cpp_name(trimmed(text.substr(bar + 1)));
  }
  return result;
}

// "again: bra again" has a label.
std::string_view label_of(std::string_view text) {
  const auto end = text.find(':');
  const auto name = text.substr(0, end);
  if (end == text.npos || text.substr(end).starts_with("::") || name.find_first_of(" .%@[{\t\n") != name.npos)
    return {};
  return name;
}

ptx_instruction instruction_of(std::string_view text) {
  ptx_instruction result;
  if (const auto label = label_of(text); !label.empty()) {
    result.label = cpp_name(label);
    text = trimmed(text.substr(label.size() + 1));
  }
  if (text.starts_with('@')) {
    const auto end = std::min(text.find_first_of(" \t\n"), text.size());
    const bool negated = text.size() > 1 && text[1] == '!';
    result.guard = (negated ? "!" : "") + cpp_name(text.substr(negated ? 2 : 1, end - (negated ? 2 : 1)));
    text = trimmed(text.substr(end));
  }
  const auto end = std::min(text.find_first_of(" \t\n[{"), text.size());
  result.name = std::string{text.substr(0, end)};
  for (const auto word : split(text.substr(0, end), '.')) result.words.emplace_back(word);
  auto rest = trimmed(text.substr(end));
  if (result.name == ".reg") {  // .reg .pred p, q
    const auto gap = std::min(rest.find_first_of(" \t\n"), rest.size());
    result.words.emplace_back(rest.substr(0, gap));
    rest = trimmed(rest.substr(gap));
  }
  for (const auto one : split(rest, ',')) result.operands.push_back(operand_of(one));
  return result;
}

// A brace that opens a scope is not a list: it comes where an instruction begins.
std::string without_scopes(std::string_view text) {
  std::string result;
  int lists = 0;
  bool begins = true;
  for (const char c : text) {
    if (c == '{' && begins) continue;
    if (c == '}' && lists == 0) continue;
    lists += (c == '{') - (c == '}');
    if (!std::isspace(static_cast<unsigned char>(c))) begins = c == ';';
    result += c;
  }
  return result;
}

}  // namespace

// "shared" also stands for "shared::cta".
bool ptx_instruction::has(std::string_view word) const {
  return std::ranges::any_of(words, [&](std::string_view w) { return w.substr(0, w.find("::")) == word; });
}

std::vector<ptx_instruction> parse_ptx(std::string_view text) {
  const std::string plain = without_scopes(without_comments(text));
  std::vector<ptx_instruction> result;
  for (const auto statement : split(plain, ';')) result.push_back(instruction_of(statement));
  return result;
}

}  // namespace lab::sim
