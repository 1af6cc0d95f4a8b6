#include "support/program_path.hpp"

#include <cstdlib>
#include <sstream>
#include <string>

namespace lab {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

fs::path path_below(const fs::path& folder, const fs::path& path) {
  const auto below = path.lexically_relative(folder);
  return below.empty() || below == "." || *below.begin() == ".." ? fs::path{} : below;
}

fs::path find_program(std::string_view program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders{path ? path : ""};
  for (std::string folder; std::getline(folders, folder, ':');)
    if (is_file(fs::path{folder} / program)) return fs::path{folder} / program;
  return {};
}

std::string python() {
  const char* chosen = std::getenv("LAB_PYTHON");
  return chosen && *chosen ? chosen : "/usr/bin/python3";
}

}  // namespace lab
