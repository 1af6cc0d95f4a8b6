#pragma once

#include <string>
#include <vector>

namespace lab::lockdown {

/// The files that a program may open. A folder includes everything below it. Missing paths are ignored.
struct file_rules {
  std::vector<std::string> readable{};    ///< read, list and execute
  std::vector<std::string> writable{};    ///< also create, change and delete
  std::vector<std::string> changeable{};  ///< write to existing files, and nothing else
  std::vector<std::string> devices{};     ///< read, write and control
};

/// Restricts this process and all processes that it starts to these files, permanently. Call it from the only thread.
/// @throws std::system_error if Linux has no Landlock
void restrict_files(const file_rules& rules);

}  // namespace lab::lockdown
