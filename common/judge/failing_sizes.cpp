#include "judge/failing_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace lab::judge {

namespace {

bool patternless(const call_result& found) {
  using enum diagnosis_kind;
  return !found.why.empty() && (found.why.front().kind == scattered || found.why.front().kind == wrong_everywhere);
}

struct axis_limit {
  std::size_t axis;
  int most;  // the largest extent at which cases pass
};

// The one axis whose larger extents fail and whose smaller ones pass, if there is just one.
std::optional<axis_limit> only_limit(const std::vector<judged_case>& cases) {
  std::optional<axis_limit> found;
  for (std::size_t axis = 0; axis < cases.front().size.axes(); ++axis) {
    std::set<int> right, wrong;
    for (const auto& one : cases)
      if (one.found.verdict != verdict_kind::skipped)
        (one.found.verdict == verdict_kind::pass ? right : wrong).insert(static_cast<int>(one.size[axis]));
    if (right.empty() || wrong.empty() || *right.rbegin() >= *wrong.begin()) continue;
    if (found) return std::nullopt;
    found = axis_limit{axis, *right.rbegin()};
  }
  return found;
}

bool sure_of_another(const std::vector<judged_case>& cases) {
  return std::ranges::any_of(
      cases, [](const judged_case& one) { return !one.found.why.empty() && !one.found.why.front().weak(); });
}

// Whether the cases that fail are those with more than one tile of this length along the axis and a partial last one.
bool fails_at_partial_tiles(const std::vector<judged_case>& cases, std::size_t axis, int tile) {
  int whole = 0, partial = 0;
  for (const auto& one : cases) {
    if (one.found.verdict == verdict_kind::skipped) continue;
    const auto extent = static_cast<int>(one.size[axis]);
    const bool last_is_partial = extent > tile && extent % tile != 0;
    if (last_is_partial == (one.found.verdict == verdict_kind::pass)) return false;
    whole += extent % tile == 0;
    partial += last_is_partial;
  }
  return whole > 1 && partial > 1;
}

std::optional<axis_limit> tile_of_failures(const std::vector<judged_case>& cases) {
  for (std::size_t axis = 0; axis < cases.front().size.axes(); ++axis)
    for (const int tile : {64, 32, 16, 8})
      if (fails_at_partial_tiles(cases, axis, tile)) return axis_limit{axis, tile};
  return std::nullopt;
}

}  // namespace

void note_limit(const launcher_spec& launcher, std::vector<judged_case>& cases) {
  if (sure_of_another(cases)) return;
  const auto limit = only_limit(cases);
  if (!limit) return;
  const auto& [axis, most] = *limit;
  for (auto& one : cases)
    if (diagnosable(one.found) && patternless(one.found))
      one.found.why.front().text += fmt::format(
          " Sizes with {0} up to {1} are right, and all larger {0} are wrong. What begins there: a second iteration "
          "of a loop, a second block?",
          launcher.axes[axis], most);
}

void note_partial_tile(const launcher_spec& launcher, std::vector<judged_case>& cases) {
  if (cases.empty() || sure_of_another(cases)) return;
  const auto found = tile_of_failures(cases);
  if (!found) return;
  const auto& name = launcher.axes[found->axis];
  for (auto& one : cases)
    if (one.found.verdict == verdict_kind::wrong_answer && patternless(one.found))
      one.found.why = {
          {diagnosis_kind::partial_tile,
           fmt::format("Sizes are right if {0} is a multiple of {1} or at most {1}, and all others are wrong: the last "
                       "tile along {0} is partial there. Does it get zeros where the matrices end, in every "
                       "round, and does its guard compare with the right extents?",
                       name, found->most)}};
}

}  // namespace lab::judge
