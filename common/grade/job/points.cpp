#include "grade/job/points.hpp"

#include <algorithm>
#include <cmath>

namespace lab::grade {

bool is_final(verdict_kind verdict) { return verdict != verdict_kind::infra_error && verdict != verdict_kind::skipped; }

double points_of(const grading_policy& policy, const row& graded) {
  const auto& rule = policy.of(graded.lab);
  const auto with = [&](verdict_kind verdict) { return std::ranges::count(graded.cases, verdict, &case_row::verdict); };
  // Gates with points of their own do not count as cases, too.
  const auto gates = policy.gates == gate_use::points && rule.gate_points > 0 ? with(verdict_kind::gate) : 0;
  // Nor does a pass of a case that the untouched starter passes.
  const auto free = std::ranges::count_if(
      graded.cases, [](const case_row& one) { return one.free && one.verdict == verdict_kind::pass; });
  const auto passed = with(verdict_kind::pass) - free + graded.hidden_passed;
  const auto total = static_cast<double>(graded.cases.size()) - double(gates + free) + graded.hidden_total;
  const double share = total > 0 ? double(passed) / total : free > 0 ? 1 : 0;
  double points = rule.points * (rule.partial ? share : share == 1 ? 1 : 0);
  if (share < 1) return points;  // a wrong kernel earns nothing for gates and speed
  if (policy.gates == gate_use::points)
    points += rule.gate_points * (graded.gates_total ? double(graded.gates_passed) / graded.gates_total : 1);
  for (const auto& timed : graded.speed) points += timed.points;
  return points;
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
  const auto late = lateness_of(policy.late, job.student, job.time);
  graded.late_days = late.days;
  graded.penalty = late.percent;
  graded.points = std::round(points_of(policy, graded) * (100 - late.percent)) / 100;
}

}  // namespace lab::grade
