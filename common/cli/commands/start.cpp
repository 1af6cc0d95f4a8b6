#include <fmt/format.h>

#include <cstdlib>

#include "cli/command.hpp"
#include "lab/lab_definition.hpp"
#include "support/installation.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace {

namespace fs = std::filesystem;

// Lab definitions, the parts that they share, and programs that draw figures are no part of a course.
bool left_out(const fs::path& below_labs) {
  if (*below_labs.begin() == "families" || below_labs.filename() == "__pycache__") return true;
  const bool draws = below_labs.parent_path().filename() == "figures" && below_labs.extension() == ".py";
  return below_labs.extension() == ".cpp" || draws;
}

void copy_tree(const fs::path& from, const fs::path& to) {
  for (fs::recursive_directory_iterator at{from}, end; at != end; ++at) {
    const auto below = fs::relative(at->path(), from);
    const bool skipped = left_out(below);
    if (skipped && at->is_directory()) at.disable_recursion_pending();
    if (skipped || !at->is_regular_file()) continue;
    fs::create_directories((to / below).parent_path());
    fs::copy_file(at->path(), to / below);
    fs::permissions(to / below, fs::perms::owner_write, fs::perm_options::add);
  }
}

// The delivered kernel.cu may be one that somebody has edited, so the starters come from the solutions.
void copy_starters(const fs::path& to) {
  for (const auto& solution : fs::directory_iterator(lab::here().home / "solutions"))
    if (const auto starter = solution.path() / "starter.cu"; exists(starter))
      write_atomically(to / "labs" / solution.path().filename() / "kernel.cu", lab::read_whole(starter));
}

// What starts this program again: the launcher of a checkout or of a Python package, else the program itself.
std::string starting_command() {
  if (const char* program = std::getenv("LAB_PROGRAM")) return program;
  return (lab::here().build / "bin/lab").string();
}

std::string launcher() {
  std::string quoted;
  for (const char letter : starting_command()) quoted += letter == '\'' ? "'\\''" : std::string{letter};
  return fmt::format(R"sh(#!/bin/sh
# Starts Kernel Lab for this course, also from another folder. If the program is gone, one in PATH takes its place.
lab='{}'
[ -x "$lab" ] || lab=lab
LAB_ROOT=$(cd "$(dirname "$0")" && pwd) exec "$lab" "$@"
)sh",
                     quoted);
}

void start(const fs::path& folder, bool with_solutions) {
  if (fs::exists(folder) && (!fs::is_directory(folder) || !fs::is_empty(folder)))
    throw usage_error(fmt::format("{} is not empty; name a new folder", folder.string()));
  std::error_code why;
  fs::create_directories(folder, why);
  if (why) throw write_error(folder, why);
  copy_tree(lab::here().home / "labs", folder / "labs");
  if (with_solutions) copy_tree(lab::here().home / "solutions", folder / "solutions");
  copy_starters(folder);
  write_atomically(folder / "lab", launcher());
  fs::permissions(folder / "lab", fs::perms{0755});
  write_atomically(folder / lab::course_mark, fmt::format("{}\n", lab::version()));
  fmt::print(
      "{} is your course{}. Next:\n  cd {}\n  ./lab watch 01   read labs/01_*/README.md, edit labs/01_*/kernel.cu\n",
      folder.string(), with_solutions ? ", with the solutions" : "", folder.string());
}

void add_start(command_line app, int&) {
  auto command = app.add_subcommand("start", "Make a folder for your course: lessons and starters, without solutions");
  auto folder = std::make_shared<std::string>();
  auto with = std::make_shared<std::string>();
  command.add_option("folder", *folder, "a new or empty folder").required().type_name("DIR");
  command.add_option("--with", *with, "also copy the solutions").type_name("solutions").one_of({"solutions"});
  command.footer("Example: ./lab start mycourse && cd mycourse && ./lab check 01");
  command.callback([folder, with] { start(*folder, !with->empty()); });
}

const command_registration registered_start{audience::learn, add_start};

}  // namespace

}  // namespace lab::cli
