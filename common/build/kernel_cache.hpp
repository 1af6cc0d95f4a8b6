#pragma once

#include "build/build_request.hpp"

namespace lab::judge {

/// The shared object of a .cu file: one that the cache keeps from the same text, headers, compiler and flags, or else
/// compile_kernel()'s.
build_result build(const build_request& request);

/// Removes the folders of builds whose process ended before they were complete.
void remove_abandoned_builds();

}  // namespace lab::judge
