#pragma once

#include "grade/job/plan.hpp"

namespace lab::grade {

/// Whether a verdict is about the submission. An error of the machine and a skipped lab earn and lose no points.
bool is_final(verdict_kind verdict);

/// The points of a row with its cases and gates, before the deduction for lateness.
double points_of(const grading_policy& policy, const row& graded);

/// The extra credit of a row, before the deduction: only a kernel that passes earns any.
double extra_of(const grading_policy& policy, const row& graded);

/// The days late, each started day counted as a whole one, and the deduction in percent.
struct lateness {
  double days = 0, percent = 0;
};
lateness lateness_of(const late_policy& policy, const std::string& student, std::time_t handed_in);

/// Enters the lateness, the deduction and the points of a row with a final verdict.
void add_points(row& graded, const grading_policy& policy, const grading_job& job);

}  // namespace lab::grade
