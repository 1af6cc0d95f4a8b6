#include "judge/case_message.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "judge/hints.hpp"

namespace lab::judge {

namespace {

bool square(const size& s) {
  for (std::size_t axis = 1; axis < s.axes(); ++axis)
    if (s[axis] != s[0]) return false;
  return s.axes() > 1 && s[0] > 1;
}

bool mismatch(const finding& f) { return f.verdict == verdict::wrong_answer || f.verdict == verdict::out_of_bounds; }

void share_best(std::vector<judged_case>& cases) {
  for (auto& one : cases) {
    if (one.found.verdict == verdict::pass || !one.found.why.vague()) continue;
    const auto better = std::ranges::find_if(cases, [&](const judged_case& other) {
      return other.found.verdict == one.found.verdict && !other.found.why.vague();
    });
    if (better != cases.end()) one.found.why = better->found.why;
  }
}

bool right_for_squares_only(const std::vector<judged_case>& cases) {
  int squares = 0, rectangles = 0;
  for (const auto& one : cases) {
    const bool one_element = std::ranges::all_of(one.name, [](char c) { return c == '1' || c == 'x'; });
    if (one_element) continue;
    const bool passed = one.found.verdict == verdict::pass;
    if (passed != square(one.size) || (!passed && !mismatch(one.found))) return false;
    ++(passed ? squares : rectangles);
  }
  return squares > 0 && rectangles > 1;
}

}  // namespace

void compare_cases(std::vector<judged_case>& cases) {
  if (right_for_squares_only(cases)) {
    for (auto& one : cases)
      if (mismatch(one.found) && (one.found.why.vague() || one.found.verdict == verdict::out_of_bounds))
        one.found.why = {
            "rows_and_columns_swapped",
            "Square sizes are right and rectangles are wrong: somewhere the number of rows stands where the "
            "number of columns belongs. Which of them is the length of a row of the output?"};
  }
  share_best(cases);
}

case_result as_case(const std::string& lab, const contract& c, const judged_case& one, std::uint64_t seed) {
  const auto& f = one.found;
  case_result r{c.name, one.name, seed, f.verdict, {}, f.why.word, 0};
  if (f.verdict == verdict::pass) return r;
  r.message = fmt::format("{} at {} ({})\n{}", c.name, one.name, fmt::join(c.axes, " x "), f.what);
  if (!f.picture.empty()) r.message += "\n" + f.picture + "\n";
  if (f.why) r.message += "Why: " + f.why.text + "\n";
  if (f.verdict == verdict::infra_error || f.verdict == verdict::skipped) return r;
  r.hint = hint_for(lab, f.why.word);
  if (r.hint > 0) r.message += fmt::format("Next: ./lab hint {} {}\n", lab.substr(0, 2), r.hint);
  return r;
}

}  // namespace lab::judge
