#pragma once

#include <cstddef>
#include <vector>

#include "grade/course/course_grading.hpp"
#include "grade/course/executor.hpp"
#include "grade/course/record_log.hpp"

namespace lab::grade {

/// Grades these jobs of the plan, and a second time those that a machine error left without a verdict. A job that took
/// too long beside others runs again, alone. Each finished row goes to the log at once.
void grade_jobs(const grading_plan& plan, const grading_policy& policy, const grading_request& request,
                std::vector<std::size_t> numbers, record_log& log);

/// Passes to `done` the rows that a cluster wrote for a grader that was killed. A timeout beside other jobs becomes
/// infra_error, so that --resume judges it again.
void take_left_records(const grading_plan& plan, const grading_policy& policy, const row_sink& done);

}  // namespace lab::grade
