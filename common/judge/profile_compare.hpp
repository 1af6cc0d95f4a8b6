#pragma once

#include "judge/trace_report.hpp"

namespace lab::judge {

/// One kind of access of one source line as two back ends counted it.
struct line_comparison {
  line_traffic place{};  ///< file, line, op and space
  const line_traffic* simulated = nullptr;
  const line_traffic* measured = nullptr;
  std::string why{};  ///< what a difference means; empty where both agree
};

/// Sectors of global memory or wavefronts of shared memory.
std::uint64_t moved(const line_traffic& a);

/// Matches the lines of one kernel; the result points into both lists.
std::vector<line_comparison> compare_lines(const std::vector<line_traffic>& simulated,
                                           const std::vector<line_traffic>& measured);

}  // namespace lab::judge
