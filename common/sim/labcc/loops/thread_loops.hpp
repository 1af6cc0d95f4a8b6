#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::sim {

/// Turns kernels of a CUDA source into loops over the threads of a block, line for line; returns nothing if none can
/// be turned. `indexed_elsewhere`: code that the kernels may reach outside this source uses threadIdx.
std::optional<std::string> thread_loops(std::string_view source, bool indexed_elsewhere = false);

/// Whether code of this source that is in no kernel uses threadIdx.
bool indexes_outside_kernels(std::string_view source);

}  // namespace lab::sim
