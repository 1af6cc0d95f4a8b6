#pragma once

#include <string>

#include "lab/lab_definition.hpp"

namespace lab::cli {

/// How --help describes an argument that chosen_lab() reads.
inline const std::string lab_argument = "the lab's number, a unique part of its name (4, 04, padded), or its folder";

/// The lab that an argument names: its number, a unique part of its name, or its folder or kernel.cu, such as "."
/// inside the folder. The stage of "04.2" is left out. @throws usage_error that names the nearest lab
const entry& chosen_lab(const std::string& argument);

/// The same, and "04.2" is the lab's second stage alone.
const entry& chosen_lab_or_stage(const std::string& argument);

/// Whether the argument is the path of a lab's folder or of its kernel.cu.
bool is_path_of_a_lab(const std::string& argument);

}  // namespace lab::cli
