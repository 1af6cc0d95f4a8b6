#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lab {

bool is_file(const std::filesystem::path& path);

/// The path of a program in PATH; empty if no folder of PATH holds it.
std::filesystem::path find_program(std::string_view program);

/// The Python that has the packages of the report, the apps and the arrays for NumPy: LAB_PYTHON, or the system's.
std::string python();

}  // namespace lab
