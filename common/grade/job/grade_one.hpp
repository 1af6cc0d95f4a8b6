#pragma once

#include "grade/job/plan.hpp"

namespace lab::grade {

/// Builds, runs and judges one job in the plan's sandbox. Jobs that run at the same time have different `slot` numbers.
/// No submission makes it throw.
row grade_one(const grading_plan& plan, const grading_policy& policy, const grading_job& job, unsigned slot);

}  // namespace lab::grade
