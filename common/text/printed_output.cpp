#include "text/printed_output.hpp"

#include <algorithm>
#include <vector>

#include "text/counted.hpp"
#include "text/sanitize.hpp"

namespace lab {

namespace {

constexpr std::size_t most_lines = 8, most_bytes_of_a_line = 150;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!lines.empty() && lines.back().find_first_not_of(" \t\r") == std::string_view::npos) lines.pop_back();
  return lines;
}

}  // namespace

std::string printed_output(std::string_view output, bool incomplete) {
  if (incomplete && output.find('\n') != std::string_view::npos)
    output = output.substr(0, output.rfind('\n') + 1);  // the last line is only a part
  const auto lines = lines_of(output);
  if (lines.empty()) return {};
  const auto left_out = lines.size() - std::min(lines.size(), most_lines);
  std::string text = "It printed:\n";
  if (left_out > 0 || incomplete)
    text = fmt::format("It printed {}{}; {} {} left out here:\n", incomplete ? "more than " : "",
                       counted(lines.size(), "line"), left_out, left_out == 1 ? "is" : "are");
  for (auto i = left_out; i < lines.size(); ++i) text += "    " + sanitize::line(lines[i], most_bytes_of_a_line) + "\n";
  return text;
}

}  // namespace lab
