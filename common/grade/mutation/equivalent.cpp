#include "grade/mutation/equivalent.hpp"

#include <fmt/format.h>

#include <sstream>

#include "lab/lab_definition.hpp"
#include "text/text_file.hpp"

namespace lab::grade {

namespace {

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
    equivalent_mutant one;
    one.before = after_mark(line, "- ", file, number);
    std::getline(lines, line);
    one.after = after_mark(line, "+ ", file, ++number);
    if (!std::getline(lines, one.reason) || one.reason.empty())
      throw usage_error(fmt::format("{}:{}: a reason must follow here", file.string(), number + 1));
    ++number;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace lab::grade
