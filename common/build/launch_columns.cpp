#include "build/launch_columns.hpp"

#include <fmt/format.h>

#include <cctype>
#include <regex>
#include <sstream>
#include <vector>

namespace lab::judge {

namespace {

constexpr std::size_t longest = 500;  // std::regex needs stack for each character

bool has(const std::string& line, const std::string& part) { return line.find(part) != std::string::npos; }

bool of_launch(const std::string& quoted) {
  return quoted.size() < longest && (has(quoted, "<<<") || has(quoted, ">>>")) && has(quoted, " | ");
}

// "      |    ^~~~", and what the compiler proposes below the caret
bool below_source(const std::string& line) {
  const auto bar = line.find_first_not_of(' ');
  return bar != std::string::npos && bar > 0 && line[bar] == '|';
}

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Where the first word stands that the message puts in quotes, as in: 'outt' was not declared in this scope
std::pair<std::size_t, std::size_t> quoted_word(const std::string& message, const std::string& code) {
  const auto open = message.find('\''), close = message.find('\'', open + 1);
  if (close == std::string::npos) return {std::string::npos, 0};
  const auto word = message.substr(open + 1, close - open - 1);
  auto at = word.empty() ? std::string::npos : code.find(word);
  while (at != std::string::npos && ((at > 0 && in_word(code[at - 1])) || in_word(code[at + word.size()])))
    at = code.find(word, at + 1);
  return {at, word.size()};
}

}  // namespace

std::string with_columns_of_launches(const std::string& log) {
  static const std::regex heading{R"(^([^:]+:\d+):\d+: ((error|warning|note|fatal error): .*)$)"};
  std::istringstream in{log};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch part;
    const bool corrects = i + 1 < lines.size() && lines[i].size() < longest && of_launch(lines[i + 1]) &&
                          std::regex_match(lines[i], part, heading);
    if (!corrects) {
      text += lines[i] + "\n";
      continue;
    }
    const auto& quoted = lines[i + 1];
    const auto code = quoted.find(" | ") + 3;
    const auto [at, length] = quoted_word(part[2], quoted.substr(code));
    const bool found = at != std::string::npos;
    text +=
        fmt::format("{}{}: {}\n{}\n", part[1].str(), found ? fmt::format(":{}", at + 1) : "", part[2].str(), quoted);
    if (found) text += fmt::format("{:>{}} {}^{}\n", "|", code - 1, std::string(at, ' '), std::string(length - 1, '~'));
    for (++i; i + 1 < lines.size() && below_source(lines[i + 1]);) ++i;
  }
  return text;
}

}  // namespace lab::judge
