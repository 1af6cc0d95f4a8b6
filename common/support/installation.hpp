#pragma once

#include <filesystem>

namespace lab {

/// Folders of this installation, from LAB_ROOT and LAB_BUILD in the environment or else as configured.
struct installation {
  std::filesystem::path root;   ///< labs/, solutions/, report/
  std::filesystem::path build;  ///< bin/, lib/, and the cache of built kernels
};
const installation& here();

}  // namespace lab
