#pragma once

#include <vector>

#include "judge/check.hpp"
#include "trace/trace_plan.hpp"

namespace lab::judge {

/// Whether a trace can show the cause of this verdict. A run that ended in another one would only end so again, later.
bool traceable(verdict_kind verdict);

/// The failed case that a trace explains best, and a case that differed from call to call: memory without a value, or
/// another array's, is in it. Empty if no case failed in a way that a trace can explain.
std::vector<trace_target> telling_failures(const lab_definition& definition, const check_result& result);

}  // namespace lab::judge
