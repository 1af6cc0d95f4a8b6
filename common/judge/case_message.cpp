#include "judge/case_message.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "diagnosis/hints.hpp"

namespace lab::judge {

namespace {

std::int64_t elements(const problem_size& size) {
  std::int64_t n = 1;
  for (std::size_t axis = 0; axis < size.axes(); ++axis) n *= size[axis];
  return n;
}

bool square(const problem_size& size) {
  for (std::size_t axis = 1; axis < size.axes(); ++axis)
    if (size[axis] != size[0]) return false;
  return size.axes() > 1;
}

bool flat(const problem_size& size) {
  for (std::size_t axis = 0; axis < size.axes(); ++axis)
    if (size[axis] == 1) return true;
  return false;
}

// A matrix of one row or column looks alike for too many mistakes to count where there are others.
bool telling(const judged_case& judged) { return judged.size.axes() < 2 || !flat(judged.size); }

// How many cases a diagnosis fits, and the largest of them.
struct support {
  int cases = 0, others = 0;  // telling ones, and not
  std::int64_t largest = 0;
  diagnosis why{};
  std::string seen_at{};  // the case's name, for the message
  auto weight() const { return std::tuple{why.exact, cases, largest, others}; }
};

void add_vote(std::vector<support>& all, const judged_case& one, const diagnosis& guess) {
  auto at = std::ranges::find_if(all, [&](const support& votes) { return votes.why.kind == guess.kind; });
  if (at == all.end()) at = all.insert(all.end(), support{.why = guess, .seen_at = one.name()});
  ++(telling(one) ? at->cases : at->others);
  if (at->why.exact && !guess.exact) return;  // one word, but another pattern
  if (!telling(one) || elements(one.size) < at->largest) return;
  at->largest = elements(one.size);
  at->why = guess;
  at->seen_at = one.name();
}

// In a matrix of one tile, holes look like an end that is missing.
void count_for_holes(std::vector<support>& all) {
  using enum diagnosis_kind;
  const auto holes = std::ranges::find_if(all, [](const support& votes) { return votes.why.kind == tile_holes; });
  if (holes == all.end()) return;
  for (const auto& votes : all)
    if ((votes.why.kind == partial_block || votes.why.kind == first_block_only) && votes.largest < holes->largest)
      holes->cases += votes.cases;
}

// An exact diagnosis, or else the one that fits most cases; without a word if there is none but weak ones.
support favourite(const std::vector<judged_case>& cases) {
  std::vector<support> all;
  for (const auto& one : cases)
    for (const auto& d : one.found.why)
      if (diagnosable(one.found) && !d.weak()) add_vote(all, one, d);
  count_for_holes(all);
  return all.empty() ? support{} : *std::ranges::max_element(all, {}, &support::weight);
}

// Squares pass, rectangles do not; vectors prove nothing, but a single element must be right. Where swapped indices
// leave only few elements wrong, most of them are never written; a race leaves wrong values.
bool right_for_squares_only(const std::vector<judged_case>& cases) {
  int squares = 0, rectangles = 0;
  for (const auto& one : cases) {
    const bool passed = one.found.verdict == verdict_kind::pass, is_square = square(one.size);
    if (one.found.verdict == verdict_kind::skipped || (flat(one.size) && (passed || !is_square))) continue;
    if (passed != is_square || one.found.sporadic) return false;
    ++(is_square ? squares : rectangles);
  }
  return squares > 0 && rectangles > 1;
}

void prefer(call_result& found, const support& votes) {
  const auto own =
      std::ranges::find_if(found.why, [&](const diagnosis& guess) { return guess.kind == votes.why.kind; });
  auto best = own != found.why.end() ? *own : diagnosis{votes.why.kind, votes.why.text, votes.seen_at};
  found.why = {std::move(best)};
}

}  // namespace

bool diagnosable(const call_result& found) {
  return found.verdict == verdict_kind::wrong_answer || found.verdict == verdict_kind::out_of_bounds ||
         found.verdict == verdict_kind::launch_error;
}

void compare_cases(std::vector<judged_case>& cases) {
  const auto voters = std::ranges::count_if(
      cases, [](const judged_case& judged) { return diagnosable(judged.found) && telling(judged); });
  const bool stray =
      std::ranges::any_of(cases, [](const auto& c) { return c.found.verdict == verdict_kind::out_of_bounds; });
  auto best = favourite(cases);
  // Stores in the wrong place also stray; then what else they look like counts for less.
  const bool doubtful = !best.why.exact && (stray ? best.cases < voters : best.cases * 2 < voters);
  if (doubtful && right_for_squares_only(cases)) {
    best.why = {diagnosis_kind::rows_and_columns_swapped,
                "Square sizes are right and rectangles are wrong: some index or guard uses one extent in place of "
                "another, such "
                "as the number of rows for the number of columns. How long is a row of each array?"};
    for (auto& one : cases)
      if (diagnosable(one.found)) one.found.why = {best.why};
  }
  if (!best.why) return;
  for (auto& one : cases)
    if (diagnosable(one.found)) prefer(one.found, best);
}

void name_cause(case_result& result, const std::string& lab, const diagnosis& why, const std::string& heading) {
  result.diagnosis = why.kind;
  result.why = why.text;
  result.hint = why ? hint_for(lab, result.launcher, why.kind) : 0;
  result.message = result.seen;
  if (!why.text.empty()) result.message += fmt::format("{}: {}\n", heading, why.text);
  result.message +=
      result.warned + next_step(number_of(lab, result.launcher), result.hint, result.diagnosis, result.verdict);
}

std::string over_budget(std::string_view what, const time_budget& budget) {
  return fmt::format("{}, because the check took its {:g} s already. --timeout allows more.", what, budget.seconds());
}

case_result as_case(const std::string& lab, const launcher_spec& launcher, const judged_case& judged,
                    std::uint64_t seed, const std::string& warned) {
  const auto& found = judged.found;
  case_result result{judged, seed, found.verdict};
  if (found.verdict == verdict_kind::pass) return result;
  result.seen = fmt::format("{} at {} ({})\n{}{}", launcher.name, judged.name(), fmt::join(launcher.axes, " x "),
                            found.printed, found.what);
  if (!found.picture.empty()) result.seen += "\n" + found.picture + "\n";
  result.map = found.map;
  result.message = result.seen;
  if (found.verdict == verdict_kind::infra_error || found.verdict == verdict_kind::skipped) return result;
  result.warned = warned;
  const auto why = found.why.empty() ? diagnosis{} : found.why.front();
  result.seen_elsewhere = !why.seen_at.empty();
  name_cause(result, lab, why, result.seen_elsewhere ? fmt::format("Why (seen at {})", why.seen_at) : "Why");
  return result;
}

}  // namespace lab::judge
