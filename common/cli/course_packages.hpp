#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lab::cli {

/// A course that a Python package brings by an entry point of the group kernel_lab.courses.
struct course_package {
  std::string name;
  std::filesystem::path folder;  ///< contains labs/
};

/// The installed courses, by name.
/// @throws machine_error if Python cannot list them
std::vector<course_package> course_packages();

/// The folder of a course: a folder with labs/, or an installed course's name.
/// @throws usage_error if there is none; the message lists the installed courses
std::filesystem::path course_folder(const std::string& name_or_folder);

}  // namespace lab::cli
