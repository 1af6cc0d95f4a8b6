#pragma once

#include <string>
#include <vector>

#include "grade/job/plan.hpp"
#include "judge/check.hpp"

namespace lab::grade {

/// How every job of the plan is checked, with the published sizes and the plan's seed.
judge::check_options options_for(const grading_plan& plan, const grading_policy& policy, unsigned slot);

/// The policy's hidden sizes and the plan's fresh ones.
std::vector<problem_size> hidden_sizes(const grading_plan& plan, const lab_policy& rule, const std::string& lab);

/// The sizes that the plan's seed draws for a lab, without those at which the solution fails; the plan keeps them.
std::vector<problem_size> fresh_sizes_of(const grading_plan& plan, const grading_policy& policy,
                                         const std::string& lab);

/// The names of the cases, hidden ones too, and of the gates that the lab's untouched starter passes; the plan keeps
/// them.
std::vector<std::string> free_cases_of(const grading_plan& plan, const grading_policy& policy, const std::string& lab);

}  // namespace lab::grade
