#pragma once

#include <cstddef>
#include <vector>

#include "trace/trace_report.hpp"

namespace lab::judge {

/// Which of these calls of one library may count their instructions together. The counts of a kernel are those of all
/// its launches, so a kernel that several calls launch must do the same in each of their blocks.
std::vector<std::vector<std::size_t>> calls_that_share_counts(const std::vector<trace_report>& calls);

}  // namespace lab::judge
