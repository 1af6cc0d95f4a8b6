#include "cli/output/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "text/wrap.hpp"

namespace lab::cli {

terminal::terminal(bool quiet, bool plain)
    : quiet_{quiet},
      colour_{!plain && isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR")},
      overwrite_{isatty(STDERR_FILENO) == 1} {}

std::size_t terminal_width(int descriptor) {
  if (const char* given = std::getenv("COLUMNS"))
    if (const auto columns = std::strtoul(given, nullptr, 10); columns > 0) return columns;
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void terminal::print(std::string_view text) const {
  if (!quiet_) print_unbroken(wrapped(text, terminal_width(STDOUT_FILENO)));
}

void terminal::print_row(std::string_view row, std::size_t indent) const {
  if (!quiet_) print_unbroken(wrapped_row(row, terminal_width(STDOUT_FILENO), indent));
}

void terminal::print_unbroken(std::string_view text) const {
  if (quiet_) return;
  clear_progress();
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

void terminal::progress(const std::string& what) const {
  if (overwrite_)
    fmt::print(stderr, "\r\033[K{}", what.substr(0, terminal_width(STDERR_FILENO) - 1));
  else if (const auto lab = what.substr(0, what.find(": ")); !quiet_ && lab != announced_)
    fmt::print(stderr, "{}\n", announced_ = lab);
  std::fflush(stderr);
}

void terminal::clear_progress() const {
  if (overwrite_) fmt::print(stderr, "\r\033[K");
}

std::string terminal::paint(std::string_view text, int code) const {
  return colour_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string{text};
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i == 0 ? fmt::format("  {:<{}}", row[i], widths[i]) : fmt::format("  {:>{}}", row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

std::string table_within(const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  auto text = table(rows);
  if (rows.empty() || columns_of(text.substr(0, text.find('\n'))) <= width) return text;
  std::vector<std::vector<std::string>> transposed(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < transposed.size(); ++i) transposed[i].push_back(i < row.size() ? row[i] : "");
  return table(transposed);
}

std::string duration(double milliseconds) {
  if (milliseconds <= 0) return "-";
  if (milliseconds < 1) return fmt::format("{:.1f} us", milliseconds * 1e3);
  if (milliseconds < 1e3) return fmt::format("{:.3g} ms", milliseconds);
  return fmt::format("{:.3g} s", milliseconds / 1e3);
}

}  // namespace lab::cli
