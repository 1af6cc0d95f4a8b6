#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lab::judge {

/// The texts of a source and of every file it includes by a quoted name, one after the other, each under its path.
/// Of a source that is not trusted, only what lies in the include folders under a plain name: an include may name
/// any file of this machine, and reading some of them never ends.
std::string texts_of(const std::filesystem::path& source, const std::vector<std::filesystem::path>& include,
                     bool trusted = true);

}  // namespace lab::judge
