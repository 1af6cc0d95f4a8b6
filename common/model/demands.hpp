#pragma once

#include "model/kernel_profile.hpp"
#include "model/predict.hpp"
#include "trace/trace_report.hpp"

namespace lab::judge {

/// The lines of a trace that load from memory.
std::vector<line_access> loading_lines(const trace_report& trace);

/// Why the launches of a traced sample get no time. Empty if they get one. Their instructions play no part.
std::string why_no_time(const trace_report& trace);

/// What each launch of a traced sample demands, or why that cannot be said.
struct demands {
  std::vector<launch_demand> launches{};
  std::string problem{};
};
demands demands_of(const trace_report& trace, const std::vector<kernel_profile>& profiles, const gpu_parameters& gpu);

}  // namespace lab::judge
