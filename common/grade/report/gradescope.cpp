#include "grade/report/gradescope.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "grade/collect/archive_writer.hpp"
#include "lab/backend.hpp"
#include "support/installation.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

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

void add_project(archive_writer& zip) {
  const auto root = lab::here().root;
  for (fs::recursive_directory_iterator at{root}, end; at != end; ++at) {
    const auto path = fs::relative(at->path(), root);
    if (at->is_directory() && left_out(path)) at.disable_recursion_pending();
    if (!at->is_regular_file() || at->is_symlink() || left_out(path)) continue;
    const bool program = (at->status().permissions() & fs::perms::owner_exec) != fs::perms::none;
    zip.add("kernel-lab/" + path.string(), lab::read_whole(at->path()), program);
  }
}

}  // namespace

fs::path make_gradescope(const fs::path& folder, const nlohmann::json& rules) {
  fs::create_directories(folder);
  const auto file = folder / "autograder.zip";
  archive_writer zip{file, archive_form::zip};
  zip.add("setup.sh", setup_script, true);
  zip.add("run_autograder", run_script, true);
  zip.add("policy.json", rules.dump(1), false);
  add_project(zip);
  zip.close();
  return file;
}

}  // namespace lab::grade
