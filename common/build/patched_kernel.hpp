#pragma once

#include <filesystem>

#include "lab/lab_definition.hpp"

namespace lab::judge {

/// Applies a patch to the lab's solution and returns the kernel, `patched/NN_name/NAME.cu` in the build folder for
/// NAME.patch. Every hunk must fit exactly; other lines of the solution may have moved it.
/// @throws usage_error with the patch's name and the words of the program `patch` if it does not apply
std::filesystem::path patched_kernel(const entry& lab, const std::filesystem::path& patch);

}  // namespace lab::judge
