#pragma once

#include <filesystem>
#include <string>

namespace lab {

/// All of a file. @throws std::runtime_error naming the file
std::string read_whole(const std::filesystem::path& file);

/// All of a file, or nothing if it cannot be read.
std::string read_if_there(const std::filesystem::path& file);

}  // namespace lab
