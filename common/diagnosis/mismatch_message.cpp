#include "diagnosis/mismatch_message.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lab::judge {

namespace {

constexpr std::int64_t most_rows = 12, most_cols = 32;

// The worst state among the elements that one mark stands for.
char mark(const mismatch& e, const extents& size, std::int64_t top, std::int64_t left, const extents& per_mark) {
  char worst = '.';
  for (auto r = top; r < std::min(size.rows, top + per_mark.rows); ++r)
    for (auto c = left; c < std::min(size.cols, left + per_mark.cols); ++c) {
      const auto s = e.result.states[r * size.cols + c];
      if (s == element_state::wrong) return '#';
      if (s == element_state::untouched) worst = '?';
    }
  return worst;
}

std::string elements(std::int64_t n) { return fmt::format("{} element{}", n, n == 1 ? "" : "s"); }

// The first elements of a matrix, one mark each; empty if nearly all of them are wrong.
std::string corner(const mismatch& wrong, const extents& size) {
  const extents shown{std::min(size.rows, most_rows), std::min(size.cols, most_cols)};
  std::string text, marks;
  for (std::int64_t r = 0; r < shown.rows; ++r) {
    std::string row;
    for (std::int64_t c = 0; c < shown.cols; ++c) row += mark(wrong, size, r, c, {1, 1});
    marks += row;
    text += "    " + row + '\n';
  }
  return 8 * std::ranges::count(marks, '.') < std::ssize(marks) ? "" : text;
}

// What '?' stands for.
const char* never_written(const mismatch& e) { return has_values_before(e) ? "unchanged" : "never written"; }

bool all_alike(const comparison& r) { return r.wrong == r.total && (r.untouched == 0 || r.untouched == r.total); }

}  // namespace

std::string place(const std::string& name, const array_shape& shape, std::int64_t index) {
  if (shape.size() == 2) return fmt::format("{}[row {}][col {}]", name, index / shape[1], index % shape[1]);
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0; index /= shape[axis])
    text = fmt::format("[{}]", index % shape[axis]) + text;
  return name + text;
}

element_map map_of(const mismatch& wrong) {
  const auto size = as_matrix(wrong.shape);
  const extents per_mark{(size.rows + most_rows - 1) / most_rows, (size.cols + most_cols - 1) / most_cols};
  element_map map{wrong.name, per_mark};
  for (std::int64_t r = 0; r < size.rows; r += per_mark.rows) {
    auto& row = map.rows.emplace_back();
    for (std::int64_t c = 0; c < size.cols; c += per_mark.cols) row += mark(wrong, size, r, c, per_mark);
  }
  return map;
}

std::string picture(const mismatch& wrong) {
  const auto map = map_of(wrong);
  const auto& per_mark = map.elements_per_mark;
  const auto size = as_matrix(wrong.shape);
  std::string text, marks;
  for (const auto& row : map.rows) {
    text += "    " + row + '\n';
    marks += row;
  }
  const auto several = fmt::format("{} x {} elements", per_mark.rows, per_mark.cols);
  const auto scale = per_mark.rows * per_mark.cols == 1 ? elements(1)
                     : size.rows == 1                   ? elements(per_mark.cols)
                                                        : several;
  const bool alike = marks.find_first_not_of(marks[0]) == std::string::npos;  // a map would show no place
  if (const auto first = alike && !all_alike(wrong.result) ? corner(wrong, size) : ""; !first.empty())
    return first + fmt::format("    {}: the first elements, and the others likewise; . right  # wrong  ? {}\n",
                               wrong.name, never_written(wrong));
  if (alike)
    return fmt::format("  {}: {}{}\n", wrong.name,
                       marks[0] == '#' ? "# wrong" : fmt::format("? {}", never_written(wrong)),
                       all_alike(wrong.result) ? " at every element" : ", at least one of every " + scale);
  return text +
         fmt::format("    {}: each mark is {}; . right  # wrong  ? {}\n", wrong.name, scale, never_written(wrong));
}

std::string first_mismatch(const mismatch& wrong) {
  const auto& r = wrong.result;
  const auto where = place(wrong.name, wrong.shape, r.first),
             expected = text_at(wrong.view.type, wrong.view.expected, r.first);
  const auto untouched = r.states[r.first] == element_state::untouched;
  const auto unwritten = has_values_before(wrong) ? "still has its value from before the call" : "is never written";
  auto text = untouched ? fmt::format("{} {}; the reference has {}.\n", where, unwritten, expected)
                        : fmt::format("{} is {}; the reference has {}.\n", where,
                                      text_at(wrong.view.type, wrong.view.actual, r.first), expected);
  if (r.total == 1) return text;
  text += fmt::format("{} of {} {} wrong", r.wrong, elements(r.total), r.wrong == 1 ? "is" : "are");
  if (r.untouched == 1 && r.wrong == 1)
    text += fmt::format(", and it is {}", never_written(wrong));
  else if (r.untouched > 0)
    text += fmt::format(", {} of them {}", r.untouched == r.wrong ? "all" : std::to_string(r.untouched),
                        never_written(wrong));
  return text + ".\n";
}

std::string describe(const stray_store& store, const std::string& name, const array_shape& extents) {
  const auto side = store.before ? "in front of" : "past the end of";
  const auto range = store.nearest == store.farthest ? fmt::format("{}", store.nearest)
                                                     : fmt::format("{} to {}", store.nearest, store.farthest);
  return fmt::format("A store falls outside `{}`, which has {}: {} element{} {} it.\n", name, elements(count(extents)),
                     range, store.farthest == 1 ? "" : "s", side);
}

}  // namespace lab::judge
