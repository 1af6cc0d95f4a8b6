#pragma once

#include <filesystem>
#include <string_view>

namespace lab {

bool is_file(const std::filesystem::path& path);

/// A program in one of PATH's folders; empty if there is none.
std::filesystem::path find_program(std::string_view program);

}  // namespace lab
