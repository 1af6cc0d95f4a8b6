#pragma once

#include <string>
#include <vector>

#include "bench/counts.hpp"

namespace lab::cli {

/// A bar chart for each metric in which kernels differ, at most `width` columns wide, and the metrics in which they do
/// not. A kernel alone stands beside what its requests need at least. `counted` begins with the kernel under test,
/// which is shown last as `own`.
std::string count_bars(const std::vector<judge::kernel_counts>& counted, const std::string& own, std::size_t width);

}  // namespace lab::cli
