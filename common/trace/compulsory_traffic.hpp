#pragma once

#include <string>

#include "lab/launcher_spec.hpp"
#include "protocol/array_layout.hpp"
#include "trace/trace_report.hpp"

namespace lab::judge {

/// Why the report shows less work on the device than the launcher's arguments need: kernels store every output, and
/// move at least what the lab's cost counts; a launcher of device pointers leaves the arrays there. Empty if it does
/// not.
/// @param layout of the traced call, whose copies by the runner do not count
std::string missing_traffic(const launcher_spec& launcher, const problem_size& size, const arguments& given,
                            const array_layout& layout, const trace_report& report);

}  // namespace lab::judge
