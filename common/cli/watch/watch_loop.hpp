#pragma once

#include "cli/common_flags.hpp"

namespace lab::cli {

/// Checks the lab that the flags name, or else the current one, now and on every save. A key, the end of the input or a
/// signal ends the loop. Returns the exit code of the last check, or 128 plus the signal's number.
int watch(const common_flags& flags);

}  // namespace lab::cli
