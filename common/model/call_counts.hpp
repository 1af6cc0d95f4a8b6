#pragma once

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

/// As JSON: only what demands_of() reads.
std::string text_of(const call_counts& counts);
/// The counts of such a text; nothing for another text.
std::optional<call_counts> counts_in(const std::string& text);

}  // namespace lab::judge
