#include "trace/shared_update.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace lab::judge {

namespace {

bool names(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string without_spaces_and_comment(std::string_view line) {
  std::string text;
  line = line.substr(0, line.find("//"));
  for (const char c : line)
    if (c != ' ' && c != '\t') text += c;
  return text;
}

// The end of the brackets that begin here: of "[i][j]" both pairs.
std::size_t end_of_brackets(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == '[') {
    for (int depth = 0; at < text.size(); ++at) {
      depth += (text[at] == '[') - (text[at] == ']');
      if (depth == 0) break;
    }
    ++at;
  }
  return std::min(at, text.size());
}

// "tile[y][x]" by "tile": every element of an array that a line names.
std::multimap<std::string, std::string> elements_in(std::string_view text) {
  std::multimap<std::string, std::string> all;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '[' || at == 0 || !names(text[at - 1])) continue;
    auto begin = at;
    while (begin > 0 && names(text[begin - 1])) --begin;
    const auto end = end_of_brackets(text, at);
    all.emplace(text.substr(begin, at - begin), text.substr(begin, end - begin));
    at = end - 1;
  }
  return all;
}

std::set<std::string> elements_of(const std::multimap<std::string, std::string>& all, const std::string& array) {
  std::set<std::string> found;
  for (auto [at, end] = all.equal_range(array); at != end; ++at) found.insert(at->second);
  return found;
}

std::string quoted(const std::string& text) {
  std::string pattern;
  for (const char c : text) (names(c) ? pattern : pattern += '\\') += c;
  return pattern;
}

// "x[i]=...", "x[i]+=...", "x[i]++" or "++x[i]", but not "x[i]==".
bool stores(const std::string& text, const std::string& element) {
  const auto e = quoted(element);
  return std::regex_search(text, std::regex{e + R"(([-+*/|&^%]|<<|>>)?=[^=])"}) ||
         std::regex_search(text, std::regex{e + R"((\+\+|--))"}) ||
         std::regex_search(text, std::regex{R"((\+\+|--))" + e});
}

// "x[i]=f(x[i])", "x[i]+=" or "++x[i]"; a plain "x[i]=y" only stores.
bool changes(const std::string& text, const std::string& element) {
  const auto e = quoted(element);
  return stores(text, element) &&
         (!std::regex_search(text, std::regex{e + "=[^=]"}) || std::regex_search(text, std::regex{e + "=[^=]?.*" + e}));
}

// The variable that a line gives a value: "old" in "int old = x[i];".
std::string assigned_variable(const std::string& line) {
  std::smatch part;
  return std::regex_search(line, part, std::regex{R"((\w+)\s*=(?!=))"}) ? part[1].str() : "";
}

// The statement of a line that names this element: of "for (...; ++k) old = x[k];" the part behind ";" and ")".
std::string statement_with(const std::string& line, const std::string& element) {
  std::istringstream statements{line};
  for (std::string one; std::getline(statements, one, ';');)
    if (without_spaces_and_comment(one).find(element) != std::string::npos) return one;
  return "";
}

bool updates_in_two(const std::string& load, const std::string& store, const std::string& element) {
  const auto copy = assigned_variable(statement_with(load, element));
  const auto stored = without_spaces_and_comment(store);
  return !copy.empty() && stores(stored, element) &&
         std::regex_search(stored.substr(stored.find(element) + element.size()), std::regex{"\\b" + copy + "\\b"});
}

// "total += x;", "*total = *total + x;" or "++total;": a line that races with itself and stores nothing else.
bool changes_variable(const std::string& text) {
  static const std::regex change{R"((^|[;){}*])\w+([-+*/|&^]=|\+\+|--)|(\w+)=\*?\3[-+*/|&^]|(\+\+|--)\w)"};
  return std::regex_search(text, change);
}

std::string line_of(const std::filesystem::path& source, int number) {
  std::ifstream text{source};
  std::string line;
  for (int i = 0; i < number; ++i)
    if (!std::getline(text, line)) return "";
  return line;
}

}  // namespace

bool updates_one_element(std::string_view line, std::string_view other_line) {
  const auto one = without_spaces_and_comment(line), other = without_spaces_and_comment(other_line);
  if (one.find("atomic") != std::string::npos || other.find("atomic") != std::string::npos) return false;
  const auto here = elements_in(one), there = elements_in(other);
  for (const auto& [array, element] : here) {
    const auto mine = elements_of(here, array), others = elements_of(there, array);
    if (mine.size() != 1 || mine != others) continue;  // a neighbour's element: a barrier can order that
    if (one == other ? changes(one, element)
                     : updates_in_two(std::string{line}, std::string{other_line}, element) ||
                           updates_in_two(std::string{other_line}, std::string{line}, element))
      return true;
  }
  return one == other && here.empty() && changes_variable(one);
}

bool shared_update(const hazard& race, const std::filesystem::path& source) {
  if (race.kind != "race" || race.line <= 0 || source.filename() != race.file) return false;
  if (!race.other_file.empty() && race.other_file != race.file) return false;
  const auto one = line_of(source, race.line);
  return updates_one_element(one, race.other_line > 0 ? line_of(source, race.other_line) : one);
}

}  // namespace lab::judge
