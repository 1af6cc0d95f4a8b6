#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lab::judge {

/// The folders labs/NN_name of a course that hold a lab definition which this program was not built with.
std::vector<std::filesystem::path> own_lab_folders(const std::filesystem::path& course);

/// Compiles the definitions of the course's own labs, unless the cache has them, and loads them into this program. In a
/// course that `lab start` made, labs without a folder are left out of labs().
/// @return a message for each definition that could not be compiled or loaded; its lab is left out
std::vector<std::string> load_own_labs();

}  // namespace lab::judge
