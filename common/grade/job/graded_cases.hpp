#pragma once

#include <string>
#include <vector>

#include "grade/job/plan.hpp"
#include "judge/check.hpp"

namespace lab::grade {

/// What a row calls a case.
std::string case_name_of(const judge::case_result& tested);

/// All gates of the lab that are no remarks. A gate that was not measured did not pass.
std::vector<gate_row> gates_of(const entry& lab, const judge::check_result& checked);

/// Adds the verdict, cases, gates and stages of a check at the published sizes to the row.
void add_check(row& graded, const entry& lab, const judge::check_result& checked, const grading_plan& plan,
               const lab_policy& rules, const grading_job& job);

/// Adds the result of a check at the hidden sizes.
void add_hidden(row& graded, const judge::check_result& checked, const grading_plan& plan);

}  // namespace lab::grade
