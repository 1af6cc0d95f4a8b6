#pragma once

#include "cli/flags.hpp"

namespace lab::cli {

/// Checks the lab that the flags name, or the current one, now and on every save, until a key, the end of the input or
/// a signal ends it. The exit code: that of the last check, or 128 and the signal's number.
int watch(const flags& f);

}  // namespace lab::cli
