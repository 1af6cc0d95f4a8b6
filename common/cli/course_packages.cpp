#include "cli/course_packages.hpp"

#include <fmt/format.h>

#include <sstream>

#include "cli/command.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "support/program_path.hpp"

namespace lab::cli {

namespace fs = std::filesystem;

// Python finds its packages itself: those of the virtual environment, the user and the system.
std::vector<course_package> course_packages() {
  spawn_request request;
  request.arguments = {lab::python(), "-B", (lab::here().home / "python/kernel_lab/course_packages.py").string()};
  request.environment = clean_environment({"HOME", "PYTHONPATH", "VIRTUAL_ENV"});
  const auto end = run_program(request, 60);
  if (!end.well())
    throw machine_error(fmt::format("{} cannot list the installed courses:\n{}", lab::python(), end.output));
  std::vector<course_package> all;
  std::istringstream lines{end.output};
  for (std::string name, folder; std::getline(lines, name, '\t') && std::getline(lines, folder);)
    all.push_back({name, folder});
  return all;
}

fs::path course_folder(const std::string& name_or_folder) {
  if (fs::is_directory(fs::path{name_or_folder} / "labs")) return fs::absolute(name_or_folder);
  std::string names;
  for (const auto& one : course_packages()) {
    if (one.name == name_or_folder) return one.folder;
    names += (names.empty() ? "" : ", ") + one.name;
  }
  throw usage_error(fmt::format("\"{}\" is neither a folder with labs/ nor an installed course; installed are: {}",
                                name_or_folder, names.empty() ? "none" : names));
}

}  // namespace lab::cli
