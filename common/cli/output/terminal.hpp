#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lab::cli {

/// Prints text on stdout, in colour if stdout is a terminal, and progress on stderr.
class terminal {
 public:
  /// @param quiet prints nothing on stdout, which carries a JSON document; @param plain prints no colours
  terminal(bool quiet, bool plain);
  ~terminal() { clear_progress(); }

  std::string green(std::string_view text) const { return paint(text, 32); }
  std::string red(std::string_view text) const { return paint(text, 31); }
  std::string yellow(std::string_view text) const { return paint(text, 33); }
  std::string bold(std::string_view text) const { return paint(text, 1); }

  /// Breaks prose at words to the width of the terminal; quoted code, pictures and tables stay as they are.
  void print(std::string_view text) const;
  /// Prints a file or other text whose lines must not be broken.
  void print_unbroken(std::string_view text) const;
  /// Prints one row of aligned columns; if the terminal is too narrow, without the alignment and at words.
  void print_row(std::string_view row, std::size_t indent = 2) const;
  /// On a terminal, overwrites the previous progress line. Elsewhere prints one line for each lab, the part of `what`
  /// before ": ". A line that would not fit is cut, because only one line can be overwritten.
  void progress(const std::string& what) const;
  void clear_progress() const;

 private:
  std::string paint(std::string_view text, int code) const;

  bool quiet_, colour_, overwrite_;
  mutable std::string announced_;
};

/// The columns of the terminal behind a descriptor: the environment variable COLUMNS, or what the terminal says, or 80.
std::size_t terminal_width(int descriptor);

/// Aligns the first column to the left and the others to the right. The first row is the heading.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// The same; if it is wider than `width`, with rows and columns exchanged.
std::string table_within(const std::vector<std::vector<std::string>>& rows, std::size_t width);

/// "1.234 ms", "56.7 us" or "8.9 s"; "-" for zero.
std::string duration(double milliseconds);

}  // namespace lab::cli
