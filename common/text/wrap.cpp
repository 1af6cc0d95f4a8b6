#include "text/wrap.hpp"

#include <algorithm>

namespace lab {

namespace {

constexpr std::size_t least_width = 20;

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The length of "- ", "* " or "12. ", with which a list item begins; 0 if the line begins otherwise.
std::size_t item_mark(std::string_view text) {
  if (text.starts_with("- ") || text.starts_with("* ")) return 2;
  const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  return digits > 0 && text.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

// "   16 | code" and "      | ^~~~", as compilers quote a line.
bool has_margin(std::string_view text) {
  const auto end = text.find_first_not_of("0123456789 ");
  return end != std::string_view::npos && text[end] == '|';
}

template <class Action>
void for_each_line(std::string_view text, Action action) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    action(text.substr(begin, end - begin), end == text.size());
    begin = end + 1;
  }
}

// The end of a word; that of "./lab hint 04 2" is behind its arguments, because a command is copied as a whole.
std::size_t end_of_word(std::string_view line, std::size_t begin) {
  const auto word_end = [&](std::size_t from) { return std::min(line.find(' ', from), line.size()); };
  auto end = word_end(begin);
  if (!line.substr(0, end).ends_with("./lab") || end + 1 >= line.size()) return end;
  end = word_end(end + 1);
  if (end + 1 < line.size() && line[end + 1] != ' ' && line.find_last_of(",;.)", end - 1) != end - 1)
    end = word_end(end + 1);
  while (end + 1 < line.size() && is_digit(line[end + 1])) end = word_end(end + 1);
  return end;
}

// Continuation lines begin with `indent` blanks.
std::string broken(std::string_view line, std::size_t width, std::size_t indent) {
  width = std::max(width, least_width);
  std::string all;
  std::size_t column = 0;
  bool has_word = false;  // a first word stays on its line, however long it is
  for (std::size_t end = 0; end < line.size();) {
    const auto begin = line.find_first_not_of(' ', end);
    if (begin == std::string_view::npos) break;
    const auto gap = begin - end;
    end = end_of_word(line, begin);
    const auto word = line.substr(begin, end - begin);
    const bool fits = !has_word || column + gap + columns_of(word) <= width;
    if (!fits) column = 0;
    const auto blanks = fits ? gap : indent;
    all += (fits ? "" : "\n") + std::string(blanks, ' ');
    all += word;
    column += blanks + columns_of(word);
    has_word = true;
  }
  return all;
}

}  // namespace

std::size_t columns_of(std::string_view line) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.substr(i).starts_with("\033["))
      i = std::min(line.find('m', i), line.size());
    else if ((static_cast<unsigned char>(line[i]) & 0xc0) != 0x80)  // the first byte of a character
      ++columns;
  }
  return columns;
}

bool is_quoted(std::string_view line) {
  const auto indent = indent_of(line);
  const auto text = line.substr(indent);
  return indent >= 4 || text.find("  ") != std::string_view::npos || text.find('\t') != std::string_view::npos ||
         has_margin(text);
}

std::string wrapped(std::string_view text, std::size_t width) {
  std::string all;
  for_each_line(text, [&](std::string_view line, bool last) {
    const auto indent = indent_of(line);
    if (columns_of(line) <= width || is_quoted(line))
      all += line;
    else
      all += broken(line, width, indent + item_mark(line.substr(indent)));
    all += last ? "" : "\n";
  });
  return all;
}

std::string wrapped_row(std::string_view line, std::size_t width, std::size_t indent) {
  return columns_of(line) <= width ? std::string{line} : broken(line, width, indent);
}

std::string joined_paragraphs(std::string_view markdown) {
  std::string all;
  bool open = false, fenced = false;  // a paragraph that the next line may continue; a block of code
  for_each_line(markdown, [&](std::string_view line, bool last) {
    const auto indent = indent_of(line);
    const auto text = line.substr(indent);
    const bool fence = text.starts_with("```");
    const bool continues =
        !fenced && !fence && open && !text.empty() && item_mark(text) == 0 && text[0] != '|' && text[0] != '#';
    if (continues) all.back() = ' ';
    const bool quoted =
        !continues && (fenced || fence || indent >= 4 || text.starts_with("|") || text.starts_with("#"));
    all += continues ? text : line;
    all += last ? "" : "\n";
    open = !text.empty() && !quoted;
    if (fence) fenced = !fenced;
  });
  return all;
}

}  // namespace lab
