#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// A "## heading" and the paragraphs below it, one line each, without a leading "**Label:**" and without backquotes.
struct markdown_section {
  std::string heading;
  std::vector<std::string> paragraphs;
};

/// The sections of a Markdown text that holds headings and paragraphs only. What precedes the first is left out.
std::vector<markdown_section> markdown_sections(std::string_view text);

}  // namespace lab
