#pragma once

#include <filesystem>
#include <functional>

namespace lab {

/// Calls the function in a process of its own, with a new temporary folder that is also its TMPDIR. Ctrl-C, SIGTERM and
/// SIGHUP end the process with all that it started. The folder is removed in any case.
/// @return the function's result, or 128 plus the signal's number
int run_interruptible(const std::function<int(const std::filesystem::path& folder)>& function);

}  // namespace lab
