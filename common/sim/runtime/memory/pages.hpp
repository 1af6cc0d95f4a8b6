#pragma once

#include <cstddef>
#include <cstdint>

// Fresh pages for device memory.

namespace lab::sim::pages {

constexpr std::size_t page = 4096, huge = 2u << 20;

/// Maps pages at this address, filled with a pattern that is NaN and -1. Returns false if there are none.
bool map(std::uintptr_t at, std::size_t bytes);

}  // namespace lab::sim::pages
