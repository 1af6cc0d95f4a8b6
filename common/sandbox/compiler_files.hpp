#pragma once

#include <filesystem>
#include <set>

namespace lab::sandbox {

/// The folders and files that a compiler outside the system's folders needs to run. The function follows links and
/// takes the toolchain's folders (bin, lib, include ...) of every prefix on the way. It takes nothing else because a
/// prefix may be a user's home. Of a compiler in a folder not called bin it takes the program alone. Empty for the
/// system's compilers.
std::set<std::filesystem::path> compiler_files(const std::filesystem::path& compiler);

}  // namespace lab::sandbox
