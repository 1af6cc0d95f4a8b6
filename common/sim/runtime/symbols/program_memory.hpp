#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab::sim {

struct memory_range {
  std::uintptr_t begin, end;
  std::uintptr_t module = 0;  // an address in its program or library
};

/// The __shared__ variables of this OS thread: one range for each program or library that labcc has compiled.
std::vector<memory_range> static_shared_memory();

/// The variables of those programs and libraries.
std::vector<memory_range> program_variables();

}  // namespace lab::sim
