#include "grade/report/gradescope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "lab/backend.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"
#include "text/atomic_file.hpp"

namespace lab::grade {

namespace fs = std::filesystem;

namespace {

// Untrusted code runs as another user, which must be able to enter these folders.
constexpr std::string_view setup_script = R"(#!/bin/sh
set -eu
chmod o+x /autograder /autograder/source
cd /autograder/source/kernel-lab
LAB_PRESET=sim ./lab list
)";

// cp -a copies links without following them. If grading fails, Gradescope gets a result without a score.
constexpr std::string_view run_script = R"(#!/bin/sh
set -u
work=/autograder/grading
rm -rf "$work"
mkdir -p "$work/in"
chmod 711 "$work"
cp -a /autograder/submission "$work/in/student"
cd /autograder/source/kernel-lab
LAB_PRESET=sim ./lab grade "$work/in" --out "$work/out" --backend sim --policy /autograder/source/policy.json
if [ -f "$work/out/students/student/results.json" ]; then
  cp "$work/out/students/student/results.json" /autograder/results/results.json
else
  echo '{"output": "The grader failed. Your submission is not the cause. Ask your teacher.", "tests": []}' \
    >/autograder/results/results.json
fi
)";

// What is made in a checkout, by its path there or, where it may be anywhere, by its name.
bool left_out(const fs::path& path) {
  constexpr std::string_view paths[] = {"build", ".git", ".lab", "grades", "report/out"};
  constexpr std::string_view names[] = {"__pycache__", ".cache"};
  return std::ranges::find(paths, path.string()) != std::end(paths) ||
         std::ranges::find(names, path.filename().string()) != std::end(names);
}

void copy_project(const fs::path& to) {
  const auto root = lab::here().root;
  for (fs::recursive_directory_iterator at{root}, end; at != end; ++at) {
    const auto path = fs::relative(at->path(), root);
    if (at->is_directory() && left_out(path)) at.disable_recursion_pending();
    if (!at->is_regular_file() || at->is_symlink() || left_out(path)) continue;
    fs::create_directories((to / path).parent_path());
    fs::copy_file(at->path(), to / path);
  }
}

void write_script(const fs::path& file, std::string_view text) {
  write_atomically(file, std::string{text});
  fs::permissions(file, fs::perms{0755});
}

// CMake has built this project, so it is there, and its archives keep which files are programs.
void zip(const fs::path& folder, const fs::path& file) {
  const lab::spawn_request request{
      .arguments = {"cmake", "-E", "tar", "cf", fs::absolute(file).string(), "--format=zip", "--", "setup.sh",
                    "run_autograder", "policy.json", "kernel-lab"},
      .environment = lab::clean_environment({}),
      .folder = folder};
  if (const auto end = run_program(request, 120); !end.well())
    throw std::runtime_error(fmt::format("cannot write {}: {}", file.string(), end.output));
}

}  // namespace

fs::path make_gradescope(const fs::path& folder, const nlohmann::json& rules) {
  fs::create_directories(folder);
  const temporary_folder contents{"gradescope"};
  write_script(contents.path() / "setup.sh", setup_script);
  write_script(contents.path() / "run_autograder", run_script);
  write_atomically(contents.path() / "policy.json", rules.dump(1));
  copy_project(contents.path() / "kernel-lab");
  const auto file = folder / "autograder.zip", part = folder / "autograder.zip.part";
  zip(contents.path(), part);
  fs::rename(part, file);
  return file;
}

}  // namespace lab::grade
