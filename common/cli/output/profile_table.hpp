#pragma once

#include <filesystem>

#include "trace/profile.hpp"

namespace lab::cli {

/// All launches of one kernel, their lines added up.
struct kernel_profile {
  std::vector<const judge::launch*> launches;
  std::vector<judge::line_traffic> lines;
};
std::vector<kernel_profile> by_kernel(const judge::trace_report& r);

/// The kernels' source with what each line cost beside it, the costliest line, totals of every launch, hazards.
std::string profile_text(const judge::profile& p, const std::filesystem::path& source);

/// The same traffic as two back ends counted it, line by line, with what a difference means.
std::string comparison_text(const judge::profile& simulated, const judge::profile& measured);

}  // namespace lab::cli
