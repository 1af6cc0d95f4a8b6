#pragma once

#include <vector>

#include "lab/lab_definition.hpp"

namespace lab {

/// Whether a size has as many extents as the launcher has axes.
bool fits(const problem_size& size, const launcher_spec& launcher);

/// What the launchers of a lab take, for messages: "transpose takes rows x cols".
std::string sizes_taken(const entry& lab);

/// The sizes to run a launcher at: the requested ones that have as many extents as the launcher has axes; `own` without
/// a request.
std::vector<problem_size> sizes_for(const launcher_spec& launcher, const std::vector<problem_size>& asked,
                                    const std::vector<problem_size>& own);

/// @throws usage_error if a requested size fits no launcher of the lab
void require_fitting(const entry& lab, const std::vector<problem_size>& asked);

}  // namespace lab
