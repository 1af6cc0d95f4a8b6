#pragma once

#include <string>
#include <vector>

#include "judge/check.hpp"
#include "judge/test_case.hpp"
#include "support/time_budget.hpp"

namespace lab::judge {

/// One case of a launcher and what its call came to.
struct judged_case : case_identity {
  call_result found{};
};

/// Whether a pattern of wrong elements or an error may tell the cause.
bool diagnosable(const call_result& found);

/// Improves diagnoses by looking at all cases of one launcher together: a small case often shows no pattern where a
/// large one does, and what fails for every rectangle but no square has its rows and columns swapped.
void compare_cases(std::vector<judged_case>& cases);

/// Puts a cause, and what to do next, behind what was seen of a failed case. `heading` begins the line: "Why".
void name_cause(case_result& result, const std::string& lab, const diagnosis& why, const std::string& heading = "Why");

/// Says what became of a case when the check had no time left. @param what "Not run"
std::string over_budget(std::string_view what, const time_budget& budget);

/// The case as it is reported, its message put together. @param warned what the compiler warned of
case_result as_case(const std::string& lab, const launcher_spec& launcher, const judged_case& judged,
                    std::uint64_t seed, const std::string& warned = {});

}  // namespace lab::judge
