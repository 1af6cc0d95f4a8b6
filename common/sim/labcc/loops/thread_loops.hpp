#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/labcc/analysis/functions.hpp"

namespace lab::sim {

/// Turns kernels of a CUDA source into loops over the threads of a block, line for line; returns nothing if none can
/// be turned. `elsewhere`: what code does that the kernels may reach outside this source. `left`: the numbers of
/// kernels that keep their usual form.
std::optional<std::string> thread_loops(std::string_view source, loops::hidden_code elsewhere = {},
                                        const std::set<std::size_t>& left = {});

struct line_range {
  std::size_t first = 0, last = 0;
};

/// The lines of each kernel of a source, in the order of their numbers.
std::vector<line_range> kernel_lines(std::string_view source);

/// What code of this source that is in no kernel does.
loops::hidden_code code_outside_kernels(std::string_view source);

}  // namespace lab::sim
