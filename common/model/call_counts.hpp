#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/kernel_profile.hpp"
#include "trace/trace_report.hpp"

namespace lab::judge {

/// What the simulator and g++ count when some blocks of one call run. It is the same for every GPU.
struct call_counts {
  trace_report trace{};
  std::vector<kernel_profile> profiles{};
};

/// Which of these calls of one library may count their instructions together. The counts of a kernel are those of all
/// its launches, so a kernel that several calls launch must do the same in each of their blocks.
std::vector<std::vector<std::size_t>> calls_that_share_counts(const std::vector<trace_report>& calls);

/// As JSON: only what demands_of() reads.
std::string text_of(const call_counts& counts);
/// The counts of such a text; nothing for another text.
std::optional<call_counts> counts_in(const std::string& text);

}  // namespace lab::judge
