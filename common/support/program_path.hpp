#pragma once

#include <filesystem>
#include <string_view>

namespace lab {

bool is_file(const std::filesystem::path& path);

/// The path of a program in PATH; empty if no folder of PATH holds it.
std::filesystem::path find_program(std::string_view program);

}  // namespace lab
