#pragma once

#include "build/build_request.hpp"

namespace lab::judge {

/// Where the warnings of a library are kept, for those who get it from the cache.
std::filesystem::path log_of(const std::filesystem::path& library);

/// Runs the compiler's command with limits, in the request's sandbox if it has one, and moves what it wrote to
/// `library`. @throws std::system_error
build_result compile_kernel(const build_request& request, std::vector<std::string> command,
                            const std::filesystem::path& library);

}  // namespace lab::judge
