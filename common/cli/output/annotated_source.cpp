#include "cli/output/annotated_source.hpp"

#include <fmt/format.h>

#include <fstream>
#include <set>

namespace lab::cli {

namespace {

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream text{file};
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// An unindented line that is no closing brace, comment or directive.
bool begins_definition(const std::string& line) {
  return !line.empty() && std::string_view{" \t}#/"}.find(line[0]) == std::string_view::npos;
}

// The function around a line, in the usual layout: from an unindented line to an unindented closing brace.
void add_function(const std::vector<std::string>& lines, int line, std::set<int>& shown) {
  const int last_line = static_cast<int>(lines.size());
  if (line < 1 || line > last_line) return;
  int first = line, last = line;
  while (first > 1 && !begins_definition(lines[first - 1])) --first;
  while (last < last_line && !lines[last - 1].starts_with("}")) ++last;
  for (int i = first; i <= last; ++i) shown.insert(i);
}

}  // namespace

std::string annotated_source(const std::filesystem::path& source, const margin& beside, std::size_t width) {
  const auto lines = lines_of(source);
  std::set<int> shown;
  for (const auto& [line, texts] : beside) add_function(lines, line, shown);
  std::string all;
  for (int before = 0; const int line : shown) {
    if (before > 0 && line > before + 1) all += "\n";
    before = line;
    const auto at = beside.find(line);
    if (width == 0) {
      all += fmt::format("{:>4}  {}\n", line, lines[line - 1]);
      for (std::size_t i = 0; at != beside.end() && i < at->second.size(); ++i) all += "    " + at->second[i] + "\n";
      continue;
    }
    const auto first = at == beside.end() ? std::string(width, ' ') : at->second.front();
    all += fmt::format("{} {:>4}  {}\n", first, line, lines[line - 1]);
    for (std::size_t i = 1; at != beside.end() && i < at->second.size(); ++i) all += at->second[i] + "\n";
  }
  return all;
}

}  // namespace lab::cli
