#include "grade/collect/archive_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "lab/lab_definition.hpp"
#include "support/process.hpp"
#include "support/program_path.hpp"

namespace lab::grade {

namespace fs = std::filesystem;

archive_form form_of(const fs::path& file) {
  const auto name = file.filename().string();
  if (name.size() > 4 && name.ends_with(".zip")) return archive_form::zip;
  if ((name.size() > 7 && name.ends_with(".tar.gz")) || (name.size() > 4 && name.ends_with(".tgz")))
    return archive_form::tar_gz;
  throw usage_error(fmt::format("{} is no archive that the grader opens; end its name with .zip or .tar.gz", name));
}

namespace {

void write(const fs::path& file, std::string_view text) {
  if (!(std::ofstream{file, std::ios::binary} << text).flush())
    throw std::runtime_error(fmt::format("cannot write {}", file.string()));
}

}  // namespace

archive_writer::archive_writer(const fs::path& file, archive_form form)
    : file_{file}, part_{fs::absolute(fs::path{file}.concat(".part"))}, form_{form} {}

archive_writer::~archive_writer() {
  std::error_code ignored;
  fs::remove(part_, ignored);
}

void archive_writer::add(const std::string& name, std::string_view text, bool program, std::time_t changed) {
  const auto to = files_ / name;
  fs::create_directories(to.parent_path());
  write(to, text);
  fs::permissions(to, program ? fs::perms{0755} : fs::perms{0644});
  const timespec time{changed, 0}, times[]{time, time};
  if (changed != 0 && utimensat(AT_FDCWD, to.c_str(), times, 0) != 0)
    throw std::runtime_error("cannot set the time of " + to.string());
}

// The paths of all files, in order, without the folders above them.
std::vector<std::string> archive_writer::names() const {
  std::vector<std::string> all;
  for (const auto& entry : fs::recursive_directory_iterator{files_})
    if (entry.is_regular_file()) all.push_back(fs::relative(entry.path(), files_).string());
  std::ranges::sort(all);
  return all;
}

// A checkout was built by CMake; a Python package has Python. Both keep which files are programs.
std::vector<std::string> archive_writer::command(const fs::path& list) const {
  if (form_ == archive_form::tar_gz) return {"tar", "-czf", part_.string(), "-T", list.string()};
  if (!find_program("cmake").empty())
    return {"cmake", "-E", "tar", "cf", part_.string(), "--format=zip", "--files-from=" + list.string()};
  std::vector<std::string> all{"python3", "-m", "zipfile", "-c", part_.string()};
  for (const auto& name : names()) all.push_back(name);
  return all;
}

void archive_writer::close() {
  constexpr double most_seconds = 120;
  const auto list = folder_.path() / "list";
  write(list, fmt::format("{}\n", fmt::join(names(), "\n")));
  const auto end =
      run_program({.arguments = command(list), .environment = clean_environment({}), .folder = files_}, most_seconds);
  if (!end.well()) throw std::runtime_error(fmt::format("cannot write {}: {}", file_.string(), end.output));
  fs::rename(part_, file_);
}

}  // namespace lab::grade
