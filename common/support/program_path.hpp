#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lab {

bool is_file(const std::filesystem::path& path);

/// The path below this folder, by its text alone; empty for the folder itself and for other places.
std::filesystem::path path_below(const std::filesystem::path& folder, const std::filesystem::path& path);

/// The path of a program in PATH; empty if no folder of PATH holds it.
std::filesystem::path find_program(std::string_view program);

/// The Python that has the packages of the report, the apps and the arrays for NumPy: LAB_PYTHON, or the system's.
std::string python();

}  // namespace lab
