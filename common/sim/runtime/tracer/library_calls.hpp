#pragma once

#include <cstddef>
#include <cstdint>

namespace lab::sim {

/// Ends the program with a report if host code accesses device memory.
void require_host_memory(std::uintptr_t at, std::size_t bytes, const void* pc);

}  // namespace lab::sim
