#pragma once

#include <filesystem>
#include <string>

namespace lab {

/// Replaces a file's content in one step, on the disk when this returns; makes its folder; readable for its owner only
/// if `secret`.
/// @throws std::system_error
void write_atomically(const std::filesystem::path& file, const std::string& text, bool secret = false);

}  // namespace lab
