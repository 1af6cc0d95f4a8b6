#pragma once

#include <cstdint>
#include <vector>

#include "lab/lab_definition.hpp"

namespace lab::grade {

/// Sizes that no lesson shows: `count` for each number of axes that the lab's launchers have, drawn from the seed. Each
/// extent lies between the smallest and the largest of the launchers' check sizes, no size is one of these, and none
/// takes more work than the largest of them. The launchers have a problem of each size and need not refuse it.
std::vector<problem_size> drawn_sizes(const entry& lab, unsigned count, std::uint64_t seed);

}  // namespace lab::grade
