#pragma once

#include <filesystem>
#include <string>

namespace lab {

/// Replaces a file in one step and creates its folder. The new text is on the disk when this returns. With `secret`
/// only the owner can read the file.
/// @throws std::system_error
void write_atomically(const std::filesystem::path& file, const std::string& text, bool secret = false);

}  // namespace lab
