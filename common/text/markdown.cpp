#include "text/markdown.hpp"

#include <algorithm>

namespace lab {

namespace {

std::string_view without_label(std::string_view line) {
  const auto end = line.find(":** ");
  return line.starts_with("**") && end != line.npos ? line.substr(end + 4) : line;
}

// "See [lab 01](01/README.md)." becomes "See lab 01."
void keep_link_texts(std::string& paragraph) {
  for (auto middle = paragraph.find("]("); middle != paragraph.npos; middle = paragraph.find("](")) {
    const auto start = paragraph.rfind('[', middle), end = paragraph.find(')', middle);
    if (start == paragraph.npos || end == paragraph.npos) return;
    paragraph.erase(middle, end + 1 - middle);
    paragraph.erase(start, 1);
  }
}

// How many '#' a line begins with; 0 if it is no heading.
std::size_t level_of(std::string_view line) {
  const auto level = std::min(line.find_first_not_of('#'), line.size());
  return level < line.size() && line[level] == ' ' ? level : 0;
}

}  // namespace

std::vector<markdown_section> markdown_sections(std::string_view text, std::size_t level) {
  std::vector<markdown_section> sections;
  std::string parent;
  bool begins_paragraph = true, inside = false;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto found = level_of(line);
    if (found == level) sections.push_back({std::string{line.substr(level + 1)}, {}, parent});
    if (found && found + 1 == level) parent = line.substr(level);
    if (found) inside = found >= level;
    if (line.empty() || line.starts_with("#") || !inside) {
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
    for (auto& paragraph : section.paragraphs) {
      std::erase(paragraph, '`');
      keep_link_texts(paragraph);
    }
  return sections;
}

}  // namespace lab
