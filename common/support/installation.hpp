#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

/// The folders of this installation and of the course. In a checkout the first two are the checkout, the others its
/// build folder. The variables LAB_HOME, LAB_ROOT, LAB_BUILD and LAB_CACHE each name one.
struct installation {
  std::filesystem::path home;   ///< common/, report/, and labs/ and solutions/ as delivered; may be read-only
  std::filesystem::path root;   ///< the course: labs/, .lab/ and, if it has them, solutions/
  std::filesystem::path build;  ///< bin/, lib/
  std::filesystem::path cache;  ///< built kernels

  /// Whether there is a course. An installed program started outside of a course has none; `root` is `home` then.
  bool in_course() const;
  /// The solutions of the course; where it has none, the delivered ones.
  std::filesystem::path solutions() const;
  /// Whether `home` is a checkout, from which this program can be built again.
  bool is_checkout() const;
  /// The variables that give a child the same folders.
  std::vector<std::string> variables() const;
};
const installation& here();

/// The file that marks the folder of a course, below that folder.
constexpr std::string_view course_mark = ".lab/course";

/// The version of Kernel Lab, such as "1.1.0"; CHANGELOG.md says what changed with it.
std::string_view version();

}  // namespace lab
