#pragma once

#include <string>
#include <vector>

namespace lab::lockdown {

/// What a program may open. Paths that do not exist are passed over; a folder stands for all beneath it.
struct file_rules {
  std::vector<std::string> readable{};    ///< read, list and execute
  std::vector<std::string> writable{};    ///< also create, change and delete
  std::vector<std::string> changeable{};  ///< write into files that are there, and nothing else
  std::vector<std::string> devices{};     ///< read, write and control
};

/// Lets this process and all that it starts open nothing else, for good. Call it while there is one thread.
/// @throws std::system_error where the kernel has no Landlock
void restrict_files(const file_rules& rules);

}  // namespace lab::lockdown
