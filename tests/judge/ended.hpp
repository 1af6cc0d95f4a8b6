#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace lab_test {

/// Whether a process, or one of its group, runs. Ended ones do not count: where process 1 reaps nobody, as in many
/// containers, they stay in the list.
inline bool runs(pid_t id) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto number = entry.path().filename().string();
    if (number.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file{entry.path() / "stat"};
    std::string text;
    std::getline(file, text);  // of one that ends just now there is nothing to read
    const auto name_ends = text.rfind(')');
    if (name_ends == std::string::npos) continue;
    std::istringstream after{text.substr(name_ends + 1)};
    char state = 0;
    pid_t parent = 0, group = 0;
    after >> state >> parent >> group;
    if (state != 'Z' && state != 'X' && (group == id || number == std::to_string(id))) return true;
  }
  return false;
}

/// Whether it ends within a minute.
inline bool gone(pid_t id) {
  for (int tries = 0; tries < 6000; ++tries, std::this_thread::sleep_for(std::chrono::milliseconds{10}))
    if (!runs(id)) return true;
  return false;
}

}  // namespace lab_test
