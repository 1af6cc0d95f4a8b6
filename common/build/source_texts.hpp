#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lab::judge {

/// The texts of a source and of all files that it includes from its own and the include folders, each after its name.
/// For an untrusted source only plain names are looked for: an include may name any file of this machine, and reading
/// some of them never ends.
std::string texts_of(const std::filesystem::path& source, const std::vector<std::filesystem::path>& include,
                     bool trusted = true);

}  // namespace lab::judge
