#pragma once

#include "sim/labcc/driver/options.hpp"

namespace lab::sim {

/// Lets clang's CUDA front end read the sources: it knows which functions a kernel may call. The exit status of the
/// first source that it refuses; 3, with a message, when there is no clang.
int check_strictly(const options& wanted);

/// Prints what clang would be called with, a word a line; without clang, what clangd on its own would understand.
int show_strict_command(const options& wanted);

}  // namespace lab::sim
