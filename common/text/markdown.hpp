#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// A heading and the paragraphs below it, one line each: without a leading "**Label:**", without backquotes, and with
/// the text of a link alone.
struct markdown_section {
  std::string heading;
  std::vector<std::string> paragraphs;
  std::string parent;  ///< the heading of the next higher level above it; empty if there is none
};

/// The sections under headings of one level in a Markdown text that holds headings and paragraphs only; level 2 is
/// "##". What precedes the first is left out.
std::vector<markdown_section> markdown_sections(std::string_view text, std::size_t level = 2);

}  // namespace lab
