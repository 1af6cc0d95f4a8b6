#include "text/markdown.hpp"

#include <algorithm>

namespace lab {

namespace {

std::string_view without_label(std::string_view line) {
  const auto end = line.find(":** ");
  return line.starts_with("**") && end != line.npos ? line.substr(end + 4) : line;
}

}  // namespace

std::vector<markdown_section> markdown_sections(std::string_view text) {
  std::vector<markdown_section> sections;
  bool begins_paragraph = true;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("## ")) sections.push_back({std::string{line.substr(3)}, {}});
    if (line.empty() || line.starts_with("#") || sections.empty()) {
      begins_paragraph = true;
      continue;
    }
    auto& paragraphs = sections.back().paragraphs;
    if (begins_paragraph)
      paragraphs.emplace_back(without_label(line));
    else
      paragraphs.back().append(" ").append(line);
    begins_paragraph = false;
  }
  for (auto& section : sections)
    for (auto& paragraph : section.paragraphs) std::erase(paragraph, '`');
  return sections;
}

}  // namespace lab
