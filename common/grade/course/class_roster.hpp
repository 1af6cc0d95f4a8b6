#pragma once

#include <vector>

#include "grade/course/course_grading.hpp"
#include "grade/report/gradebook.hpp"

namespace lab::grade {

/// The roster of the class; empty if the plan has none.
roster roster_of(const grading_plan& plan);

/// Adds the students of the roster who handed nothing in, because they have rows, too.
void add_absent_students(const grading_plan& plan, std::vector<submission>& students);

/// Warns of each student who is not in the roster.
void warn_of_unknown_students(const grading_request& request, const grading_plan& plan,
                              const std::vector<submission>& students);

/// Warns of each time in the policy for a student who handed nothing in.
void warn_of_unknown_times(const grading_request& request, const grading_policy& policy,
                           const std::vector<submission>& students);

}  // namespace lab::grade
