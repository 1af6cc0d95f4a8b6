#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/runtime/hazards/shadow_memory.hpp"

namespace lab::sim {

/// Host code accesses memory. Ends the program with a report if that is device memory, unless a library does the work.
void require_host_memory(std::uintptr_t at, std::size_t bytes, operation op, const void* pc);

}  // namespace lab::sim
