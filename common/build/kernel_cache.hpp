#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "build/build_request.hpp"

namespace lab::judge {

/// The shared object of a .cu file: one that the cache keeps from the same text, headers, compiler and flags, or else
/// compile_kernel()'s.
build_result build(const build_request& request);

/// Differs if the text, a header, the compiler or a flag of the build does.
std::string build_key(const build_request& request);

/// Where the cache keeps a file with this key; trim_cache() removes it like a library.
std::filesystem::path cached_file_of(const std::string& key, std::string_view extension);

/// Lets trim_cache() keep a file of the cache longer. A cache that cannot be written stays as it is.
void mark_as_used(const std::filesystem::path& file);

/// Removes the folders of builds whose process ended before they were complete.
void remove_abandoned_builds();

/// Removes the results that were not used for longest until the cache holds at most this many bytes. Results of the
/// last quarter of an hour stay, because a job may use them.
void trim_cache(std::uintmax_t most_bytes);
constexpr std::uintmax_t most_cached_bytes = 512 << 20;

}  // namespace lab::judge
