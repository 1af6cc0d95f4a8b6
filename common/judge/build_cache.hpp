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

/// A name for everything that `text` says: 32 hexadecimal digits. Nobody can write a second text with that name, so
/// that a student cannot have another's work judged as the own, or the own as another's.
std::string fingerprint(const std::string& text);

}  // namespace lab::judge
