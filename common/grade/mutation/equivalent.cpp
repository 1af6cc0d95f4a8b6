#include "grade/mutation/equivalent.hpp"

#include <fmt/format.h>

#include <sstream>

#include "lab/lab_definition.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace {

// A line of the list after its mark, "- " or "+ ".
std::string after_mark(const std::string& line, std::string_view mark, const std::filesystem::path& file, int number) {
  if (line.starts_with(mark) && line.size() > mark.size()) return line.substr(mark.size());
  throw usage_error(
      fmt::format("{}:{}: this line must begin with \"{}\" and have a text", file.string(), number, mark));
}

}  // namespace

std::vector<equivalent_mutant> equivalent_mutants(const std::filesystem::path& file) {
  std::vector<equivalent_mutant> all;
  std::istringstream lines{read_if_there(file)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) continue;
    const auto before = after_mark(line, "- ", file, number);
    const auto first = all.size();
    do {
      std::getline(lines, line);
      all.push_back({before, after_mark(line, "+ ", file, ++number), ""});
    } while (lines.peek() == '+');
    ++number;
    if (!std::getline(lines, line) || line.empty())
      throw usage_error(fmt::format("{}:{}: a reason must follow here", file.string(), number));
    for (auto i = first; i < all.size(); ++i) all[i].reason = line;
  }
  return all;
}

}  // namespace lab::grade
