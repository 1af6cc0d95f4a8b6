#pragma once

#include <filesystem>

#include "trace/profile.hpp"

namespace lab::cli {

/// All launches of one kernel and the sum of their traffic for each line.
struct kernel_profile {
  std::vector<const judge::launch*> launches;
  std::vector<judge::line_traffic> lines;
};
std::vector<kernel_profile> by_kernel(const judge::trace_report& report);

/// The kernels' source with the traffic of each line, the most expensive line, the totals of every launch, the hazards.
/// On a terminal with few columns the traffic stands below its line.
std::string profile_text(const judge::profile& profile, const std::filesystem::path& source, std::size_t columns);

/// "load global: 24 requests, 4.0 sectors/request"
std::string traffic_text(const judge::line_traffic& traffic);

/// The traffic that the two back ends counted, line by line, with the cause of each difference.
std::string comparison_text(const judge::profile& simulated, const judge::profile& measured);

}  // namespace lab::cli
