#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/labcc/analysis/functions.hpp"

namespace lab::sim {

/// Turns kernels of a CUDA source into loops over the threads of a block, line for line; returns nothing if none can
/// be turned. `elsewhere`: what code does that the kernels may reach outside this source.
std::optional<std::string> thread_loops(std::string_view source, loops::hidden_code elsewhere = {});

/// What code of this source that is in no kernel does.
loops::hidden_code code_outside_kernels(std::string_view source);

}  // namespace lab::sim
