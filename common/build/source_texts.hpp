#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lab::judge {

/// The texts of a source and of all files that it includes by a quoted name, each after its path. For an untrusted
/// source only plain names in the include folders are read: an include may name any file of this machine, and reading
/// some of them never ends.
std::string texts_of(const std::filesystem::path& source, const std::vector<std::filesystem::path>& include,
                     bool trusted = true);

}  // namespace lab::judge
