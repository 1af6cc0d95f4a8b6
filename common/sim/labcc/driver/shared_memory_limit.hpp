#pragma once

#include <string>

namespace lab::sim {

/// Finds a kernel with more than 48 KB of static shared memory in a linked program, as nvcc's assembler does. Returns
/// an error message, or an empty text if there is none.
std::string shared_memory_excess(const std::string& program);

}  // namespace lab::sim
