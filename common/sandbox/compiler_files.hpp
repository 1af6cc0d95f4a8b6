#pragma once

#include <filesystem>
#include <set>

namespace lab::grade {

/// Folders and files outside the system's own that a compiler needs in order to run: of every prefix that leads to it,
/// through links, the folders that toolchains have (bin, lib, include ...) and nothing else, for a prefix may be
/// somebody's home. A compiler in a folder that is not called bin stands alone. Empty for compilers of the system.
std::set<std::filesystem::path> compiler_files(const std::filesystem::path& compiler);

}  // namespace lab::grade
