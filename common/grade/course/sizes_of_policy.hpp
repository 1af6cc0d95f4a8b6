#pragma once

#include "grade/course/course_grading.hpp"

namespace lab::grade {

/// Runs each lab's solution at the sizes that the policy gives. Every student would lose points at a size at which the
/// solution fails. @throws usage_error that names each such size with its line
void require_sizes_that_can_pass(const grading_request& request, const grading_plan& plan,
                                 const grading_policy& policy);

}  // namespace lab::grade
