#pragma once

#include <vector>

#include "lab/lab_definition.hpp"

namespace lab {

/// The sizes for one launcher: of those asked for, the ones with as many extents as it has axes; `own` if none were
/// asked for.
std::vector<problem_size> sizes_for(const launcher_spec& launcher, const std::vector<problem_size>& asked,
                                    const std::vector<problem_size>& own);

/// @throws usage_error if a size that was asked for fits none of the lab's launchers
void require_fitting(const entry& lab, const std::vector<problem_size>& asked);

}  // namespace lab
