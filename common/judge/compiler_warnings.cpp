#include "judge/compiler_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "judge/source_functions.hpp"
#include "text/text_file.hpp"
#include "trace/hazard_message.hpp"

namespace lab::judge {

namespace {

constexpr std::size_t most_shown = 3;

// The compiler is sure, or the guess is one that such a variable leads to.
bool explains(const compiler_warning& warning, diagnosis_kind guess) {
  using enum diagnosis_kind;
  if (warning.option == "uninitialized") return true;
  if (warning.option != "maybe-uninitialized") return false;
  return guess == none || guess == wrong_everywhere || guess == scattered || guess == nondeterministic ||
         guess == nan || guess == constant_offset || guess == adds_to_output || guess == rounding ||
         guess == missing_barrier || guess == tile_holes || guess == every_kth;  // what registers held, warp by warp
}

// "sum" of "'sum' is used uninitialized"
std::string variable_of(const std::string& text) {
  const auto open = text.find('\''), close = text.find('\'', open + 1);
  return close == std::string::npos ? "a variable" : fmt::format("`{}`", text.substr(open + 1, close - open - 1));
}

}  // namespace

std::vector<compiler_warning> warnings_in(const std::string& log, const std::filesystem::path& source) {
  static const std::regex heading{R"(^(.+?):(\d+):\d+: warning: (.*) \[-W([a-z-]+)\]$)"};
  std::vector<compiler_warning> all;
  std::istringstream lines{log};
  for (std::string line; std::getline(lines, line);) {
    std::smatch part;
    if (!std::regex_match(line, part, heading)) continue;
    if (std::filesystem::path{part[1].str()}.filename() != source.filename()) continue;
    const compiler_warning found{std::stoi(part[2]), part[3], part[4]};
    const auto same = [&](const compiler_warning& known) {
      return known.line == found.line && known.text == found.text;
    };
    if (std::ranges::none_of(all, same)) all.push_back(found);
  }
  return all;
}

std::vector<compiler_warning> warnings_for(const std::string& function, const std::vector<compiler_warning>& warnings,
                                           const std::filesystem::path& source) {
  if (warnings.empty()) return {};
  auto rest = warnings;
  for (const auto& other : functions_unreached_from(read_if_there(source), function))
    std::erase_if(
        rest, [&](const compiler_warning& one) { return other.first_line <= one.line && one.line <= other.last_line; });
  return rest;
}

std::string describe(const std::vector<compiler_warning>& warnings, const std::filesystem::path& source) {
  if (warnings.empty()) return "";
  std::string text = "The compiler warns:\n";
  for (std::size_t i = 0; i < std::min(warnings.size(), most_shown); ++i)
    text += fmt::format("  {}\n  {}\n", quoted_line(source, source.filename().string(), warnings[i].line),
                        warnings[i].text);
  if (warnings.size() > most_shown) text += fmt::format("  and {} more\n", warnings.size() - most_shown);
  return text;
}

diagnosis cause_by_warning(const std::vector<compiler_warning>& warnings, const std::filesystem::path& source,
                           const diagnosis& guess) {
  const auto telling =
      std::ranges::find_if(warnings, [&](const compiler_warning& one) { return explains(one, guess.kind); });
  if (telling == warnings.end()) return guess;
  return {diagnosis_kind::uninitialized_read,
          fmt::format("{} is read before it has a value, in line {} of {}. A local variable begins with an arbitrary "
                      "value: give it one where you declare it.",
                      variable_of(telling->text), telling->line, source.filename().string())};
}

}  // namespace lab::judge
