#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "grade/job/policy.hpp"
#include "grade/job/row.hpp"

namespace lab::grade {

/// One student's results.json for Gradescope, in the format that
/// https://gradescope-autograders.readthedocs.io/en/latest/specs/ documents. @param rows of this student only
nlohmann::json gradescope_results(const std::vector<row>& rows, leaderboard_kind board);

}  // namespace lab::grade
