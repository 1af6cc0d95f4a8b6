#pragma once

#include <filesystem>
#include <string_view>

namespace lab {

/// Folders of this installation, from LAB_ROOT and LAB_BUILD in the environment, otherwise as CMake configured them.
struct installation {
  std::filesystem::path root;   ///< labs/, solutions/, report/
  std::filesystem::path build;  ///< bin/, lib/, and the cache of built kernels
};
const installation& here();

/// The version of Kernel Lab, such as "1.1.0"; CHANGELOG.md says what changed with it.
std::string_view version();

}  // namespace lab
