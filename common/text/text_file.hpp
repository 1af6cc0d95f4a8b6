#pragma once

#include <filesystem>
#include <string>

namespace lab {

/// The whole contents of a file. @throws std::runtime_error naming the file
std::string read_whole(const std::filesystem::path& file);

/// The whole contents of a file; empty if it cannot be read.
std::string read_if_there(const std::filesystem::path& file);

}  // namespace lab
