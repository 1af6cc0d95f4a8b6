#pragma once

#include "grade/job/plan.hpp"

namespace lab::grade {

/// Builds, runs and judges one job in the plan's sandbox. Jobs that run at the same time have different `slot` numbers.
/// No submission makes it throw.
row grade_one(const grading_plan& plan, const grading_policy& policy, const grading_job& job, unsigned slot);

/// The sizes that the plan's seed draws for a lab, without those at which the solution fails; the plan keeps them.
std::vector<problem_size> fresh_sizes_of(const grading_plan& plan, const grading_policy& policy,
                                         const std::string& lab);

/// The names of the cases, hidden ones too, and of the gates that the lab's untouched starter passes; the plan keeps
/// them.
std::vector<std::string> free_cases_of(const grading_plan& plan, const grading_policy& policy, const std::string& lab);

}  // namespace lab::grade
