#pragma once

#include <string>

namespace lab::sim {

/// What nvcc's assembler would refuse in a linked program: a kernel with more than 48 KB of static shared memory. The
/// message names the kernel and its bytes; empty if all is well.
std::string shared_memory_excess(const std::string& program);

}  // namespace lab::sim
