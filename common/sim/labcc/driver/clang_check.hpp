#pragma once

#include "sim/labcc/driver/options.hpp"

namespace lab::sim {

/// Checks the sources with clang's CUDA front end, which knows what a kernel may call. Returns the exit status of the
/// first source that fails, or 3, with a message, if there is no clang.
int check_strictly(const options& wanted);

/// Precompiles the headers for --check into wanted.output, which stays empty if clang is missing or cannot. Returns 0.
int precompile_for_check(const options& wanted);

/// Prints the clang command, one word per line; without clang, one that clangd understands.
int show_strict_command(const options& wanted);

}  // namespace lab::sim
