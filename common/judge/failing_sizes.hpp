#pragma once

#include <vector>

#include "judge/case_message.hpp"

namespace lab::judge {

/// Where no pattern is known, says which extent separates the sizes that are right from those that are wrong.
void note_limit(const launcher_spec& launcher, std::vector<judged_case>& cases);

/// Where no pattern is known and exactly the sizes fail along which the last of several tiles is partial, says so.
void note_partial_tile(const launcher_spec& launcher, std::vector<judged_case>& cases);

}  // namespace lab::judge
