#pragma once

#include "sim/labcc/analysis/variables.hpp"

namespace lab::sim::loops {

/// Whether all threads of a block may store in one place. Of such stores the compiler keeps the last one, and drops a
/// fault of the others.
bool stores_in_one_place(const code& source, variables& all, range body);

}  // namespace lab::sim::loops
