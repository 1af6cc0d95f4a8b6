#pragma once

#include "trace/trace_report.hpp"

namespace lab::judge {

/// One kind of access of one source line as two back ends counted it.
struct line_comparison {
  line_traffic place{};  ///< file, line, op and space
  const line_traffic* simulated = nullptr;
  const line_traffic* measured = nullptr;
  std::string why{};  ///< what a difference means; empty where both agree
};

/// Sectors of global memory or wavefronts of shared memory.
std::uint64_t moved(const line_traffic& access);

/// Moves what a GPU counted in headers, which nvcc inlined (an atomicAdd is a line of CUDA's header), to the only line
/// of one launch that the simulator saw make such an access and the GPU did not; where several could be meant, nothing
/// moves.
void return_from_headers(const std::vector<line_traffic>& simulated, std::vector<line_traffic>& measured);

/// Matches the lines of one kernel; the result points into both lists.
std::vector<line_comparison> compare_lines(const std::vector<line_traffic>& simulated,
                                           const std::vector<line_traffic>& measured);

}  // namespace lab::judge
