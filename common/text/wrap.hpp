#pragma once

#include <string>
#include <string_view>

namespace lab {

/// The columns that a line takes on a terminal: the characters of its UTF-8 without the sequences that change colours.
std::size_t columns_of(std::string_view line);

/// Whether a line quotes code or belongs to a picture or a table: it is indented by four blanks or more, has several
/// blanks in a row, or has a compiler's margin ("16 | ...").
bool is_quoted(std::string_view line);

/// Breaks lines at blanks, so that each fits into `width` columns if its words do. Continuation lines get the
/// indentation of the text of their line. A command such as "./lab hint 04 2" stays whole. Quoted lines stay as they
/// are.
std::string wrapped(std::string_view text, std::size_t width);

/// Breaks one line, also where it has several blanks; continuation lines begin with `indent` blanks.
std::string wrapped_row(std::string_view line, std::size_t width, std::size_t indent);

/// Joins the lines of each paragraph and list item of a Markdown text, so that it can be wrapped at any width. Code,
/// tables and headings stay as they are.
std::string joined_paragraphs(std::string_view markdown);

}  // namespace lab
