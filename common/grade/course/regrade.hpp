#pragma once

#include <string>
#include <vector>

#include "grade/job/plan.hpp"

namespace lab::grade {

/// Rows of an existing grading to grade again: a student's row for one lab, or all of them.
struct regrade_choice {
  std::string student, lab;  ///< the lab's name; empty for all labs
};

/// From "ada" or "ada:05". A student's name may contain colons. @throws usage_error if it is empty
regrade_choice regrade_choice_from(const std::string& text);

/// Replaces the jobs of `plan` by those of the grading before it, but for the chosen ones. Returns the numbers of the
/// chosen jobs. @throws usage_error if a choice names no row of that grading, or a student without a submission
std::vector<std::size_t> keep_all_but(const std::vector<regrade_choice>& choices, const grading_plan& before,
                                      grading_plan& plan);

}  // namespace lab::grade
