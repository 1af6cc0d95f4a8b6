#include "grade/collect/archive_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <stdexcept>

#include "lab/lab_definition.hpp"
#include "support/process.hpp"
#include "support/program_path.hpp"
#include "text/atomic_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;

archive_form form_of(const fs::path& file) {
  const auto name = file.filename().string();
  if (name.size() > 4 && name.ends_with(".zip")) return archive_form::zip;
  if ((name.size() > 7 && name.ends_with(".tar.gz")) || (name.size() > 4 && name.ends_with(".tgz")))
    return archive_form::tar_gz;
  throw usage_error(fmt::format("{} is no archive that the grader opens; end its name with .zip or .tar.gz", name));
}

archive_writer::archive_writer(const fs::path& file, archive_form form)
    : file_{file}, part_{fs::absolute(fs::path{file}.concat(".part"))}, form_{form} {}

archive_writer::~archive_writer() {
  std::error_code ignored;
  fs::remove(part_, ignored);
}

void archive_writer::add(const std::string& name, std::string_view text, bool program, std::time_t changed) {
  const auto to = contents_.path() / name;
  write_atomically(to, std::string{text});
  fs::permissions(to, program ? fs::perms{0755} : fs::perms{0644});
  const timespec time{changed, 0}, times[]{time, time};
  if (changed != 0 && utimensat(AT_FDCWD, to.c_str(), times, 0) != 0)
    throw std::runtime_error("cannot set the time of " + to.string());
}

// A checkout was built by CMake; a Python package has Python. Both keep which files are programs.
std::vector<std::string> archive_writer::command() const {
  std::vector<std::string> all;
  if (form_ == archive_form::tar_gz)
    all = {"tar", "-czf", part_.string(), "--"};
  else if (!find_program("cmake").empty())
    all = {"cmake", "-E", "tar", "cf", part_.string(), "--format=zip", "--"};
  else
    all = {"python3", "-m", "zipfile", "-c", part_.string()};
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator{contents_.path()}) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  all.insert(all.end(), names.begin(), names.end());
  return all;
}

void archive_writer::close() {
  constexpr double most_seconds = 120;
  const auto end =
      run_program({.arguments = command(), .environment = clean_environment({}), .folder = contents_.path().string()},
                  most_seconds);
  if (!end.well()) throw std::runtime_error(fmt::format("cannot write {}: {}", file_.string(), end.output));
  fs::rename(part_, file_);
}

}  // namespace lab::grade
