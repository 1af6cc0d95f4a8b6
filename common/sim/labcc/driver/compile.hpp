#pragma once

#include "sim/labcc/driver/options.hpp"

namespace lab::sim {

/// Rewrites, compiles and links. Returns the exit status of the host compiler, or 3 if there is none.
int compile(const options& wanted);

}  // namespace lab::sim
