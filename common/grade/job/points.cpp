#include "grade/job/points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>

namespace lab::grade {

bool is_final(verdict_kind verdict) { return verdict != verdict_kind::infra_error && verdict != verdict_kind::skipped; }

namespace {

using share = std::optional<double>;  // of a group's points; nothing if the row has no such group

bool is_gate_case(const case_row& one) { return one.traced || one.verdict == verdict_kind::gate; }

// A case that the untouched starter passes gives no points for a pass.
share share_of_values(const row& graded) {
  int passed = 0, total = 0, free = 0;
  for (const auto& one : graded.cases) {
    if (is_gate_case(one)) continue;
    const bool right = one.verdict == verdict_kind::pass;
    if (right && one.free)
      ++free;
    else
      ++total, passed += right;
  }
  if (total == 0 && free > 0) return std::nullopt;
  return total > 0 ? double(passed) / total : 0;
}

bool values_are_right(const row& graded) {
  const auto wrong = [](const case_row& one) { return !is_gate_case(one) && one.verdict != verdict_kind::pass; };
  return !graded.cases.empty() && std::ranges::none_of(graded.cases, wrong) &&
         graded.hidden_passed == graded.hidden_total;
}

// Counts launchers and not gates: a kernel without the lab's idea passes most gates, because each catches another
// mistake. A launcher whose gates the starter passes gives nothing for them.
share share_of_gates(const row& graded) {
  const auto hazard = [](const case_row& one) {
    return one.traced && one.verdict != verdict_kind::pass && one.verdict != verdict_kind::gate;
  };
  const bool unsafe = std::ranges::any_of(graded.cases, hazard);
  std::map<std::string, std::pair<bool, bool>> launchers;  // whether all gates pass, and whether all are free
  for (const auto& one : graded.gates) {
    auto& [passed, free] = launchers.try_emplace(one.launcher, true, true).first->second;
    passed &= one.passed;
    free &= one.free;
  }
  std::erase_if(launchers, [](const auto& one) { return one.second.first && one.second.second; });
  if (unsafe) return 0;
  if (launchers.empty()) return std::nullopt;
  const auto passed = std::ranges::count_if(launchers, [](const auto& one) { return one.second.first; });
  return double(passed) / double(launchers.size());
}

share share_of_speed(const row& graded) {
  double points = 0, most = 0;
  for (const auto& timed : graded.speed)
    if (!timed.extra) points += timed.points, most += timed.max_points;
  if (most == 0) return std::nullopt;
  return values_are_right(graded) ? points / most : 0;
}

// A weighted group of cases.
struct group {
  double weight;
  share reached;
};

double weighted(std::span<const group> groups) {
  double weight = 0, reached = 0;
  for (const auto& one : groups)
    if (one.reached) weight += one.weight, reached += one.weight * *one.reached;
  return weight > 0 ? reached / weight : groups.front().reached.value_or(0);
}

// The groups are values, hidden cases, gates, speed. What a row lacks of the last two counts for the first two. Values
// that the starter already has right weigh nothing.
double share_of(const std::array<group, 4>& groups, bool right) {
  const auto lacking = [](const group& one) { return one.reached ? 0 : one.weight; };
  const group answers{groups[0].weight + groups[1].weight + lacking(groups[2]) + lacking(groups[3]),
                      groups[0].reached ? share{weighted(std::span{groups}.first(2))} : std::nullopt};
  const group all[] = {answers, groups[2], groups[3]};
  const bool weighs = std::ranges::any_of(all, [](const auto& one) { return one.reached && one.weight > 0; });
  return weighs ? weighted(all) : right ? 1 : 0;
}

double share_of_points(const lab_policy& rules, const row& graded) {
  const bool right = values_are_right(graded), right_if_hidden = graded.hidden_passed == graded.hidden_total;
  const auto values = share_of_values(graded);
  const bool with_gates = rules.gates != gate_use::advisory;
  const auto gates = with_gates ? share_of_gates(graded) : std::nullopt;
  const auto hidden =
      values && graded.hidden_total > 0 ? share{double(graded.hidden_passed) / graded.hidden_total} : std::nullopt;
  if (rules.gates == gate_use::required && gates.value_or(1) < 1) return 0;
  const auto gates_share = rules.gate_points > 0 ? std::nullopt : gates && !right_if_hidden ? share{0} : gates;
  const auto& weights = rules.weights;
  const double reached = share_of({{{weights.values, values},
                                    {weights.hidden, hidden},
                                    {weights.gates, gates_share},
                                    {weights.speed, weights.speed > 0 ? share_of_speed(graded) : std::nullopt}}},
                                  right);
  return rules.partial || reached > 1 - 1e-9 ? reached : 0;
}

}  // namespace

double points_of(const grading_policy& policy, const row& graded) {
  const auto& rules = policy.of(graded.lab);
  double points = rules.points * share_of_points(rules, graded);
  if (!values_are_right(graded)) return points;  // a wrong kernel earns none of what follows
  if (rules.gates != gate_use::advisory)
    points += rules.gate_points * (graded.gates_total ? double(graded.gates_passed) / graded.gates_total : 1);
  for (const auto& timed : graded.speed)
    if (!timed.extra && rules.weights.speed == 0) points += timed.points;
  return points;
}

double extra_of(const grading_policy& policy, const row& graded) {
  if (graded.verdict != verdict_kind::pass) return 0;
  double extra = 0;
  for (const auto& timed : graded.speed)
    if (timed.extra) extra += timed.points;
  return std::min(extra, policy.of(graded.lab).most_extra);
}

lateness lateness_of(const late_policy& policy, const std::string& student, std::time_t handed_in) {
  if (policy.deadline == 0) return {};
  const auto known = policy.times.find(student);
  const auto when = known == policy.times.end() ? handed_in : known->second;
  const double late_s = double(when) - double(policy.deadline) - policy.grace_minutes * 60;
  if (late_s <= 0) return {};
  const double days = std::ceil(late_s / 86400);
  return {days, std::min(policy.most_percent, days * policy.percent_per_day)};
}

void add_points(row& graded, const grading_policy& policy, const grading_job& job) {
  if (!is_final(graded.verdict)) return;
  const auto late = lateness_of(policy.of(job.lab).late, job.student, job.time);
  graded.late_days = late.days;
  graded.penalty = late.percent;
  const auto after = [&](double points) { return std::round(points * (100 - late.percent)) / 100; };
  graded.points = after(points_of(policy, graded));
  graded.extra = after(extra_of(policy, graded));
}

}  // namespace lab::grade
