#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab::sim {

struct memory_range {
  std::uintptr_t begin, end;
  std::uintptr_t module = 0;  // an address in the program or library that it belongs to
};

/// The __shared__ variables that this OS thread has, one range for each program or library that labcc has compiled.
std::vector<memory_range> static_shared_memory();

/// The variables of those programs and libraries.
std::vector<memory_range> program_variables();

}  // namespace lab::sim
