#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "cli/command.hpp"
#include "cli/course_packages.hpp"
#include "lab/lab_definition.hpp"
#include "support/installation.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

extern const std::string_view course_program;  // course_program.sh

namespace {

namespace fs = std::filesystem;

bool is_delivered(const std::string& lab) { return exists(lab::here().home / "labs" / lab); }

// The delivered labs' definitions, the parts that they share, and programs that draw figures are no part of a course.
bool left_out(const fs::path& below_labs) {
  if (*below_labs.begin() == "families" || below_labs.filename() == "__pycache__") return true;
  const bool draws = below_labs.parent_path().filename() == "figures" && below_labs.extension() == ".py";
  return (below_labs.extension() == ".cpp" && is_delivered(below_labs.begin()->string())) || draws;
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

// The kernel.cu of the source may be one that somebody has edited, so the starters come from the solutions.
void copy_starters(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  for (const auto& solution : fs::directory_iterator(from / "solutions", ignored)) {
    const auto kernel = to / "labs" / solution.path().filename() / "kernel.cu";
    if (const auto starter = solution.path() / "starter.cu"; exists(starter) && exists(kernel))
      write_atomically(kernel, lab::read_whole(starter));
  }
  for (const auto& lab : fs::directory_iterator(to / "labs"))
    if (const auto kernel = lab.path() / "kernel.cu"; exists(kernel) && !is_delivered(lab.path().filename()))
      write_atomically(to / ".lab/starters" / (lab.path().filename().string() + ".cu"), lab::read_whole(kernel));
}

// What starts this program again: the launcher of a checkout or of a Python package, else the program itself.
std::string starting_command() {
  if (const char* program = std::getenv("LAB_PROGRAM")) return program;
  return (lab::here().build / "bin/lab").string();
}

std::string launcher() {
  std::string quoted;
  for (const char letter : starting_command()) quoted += letter == '\'' ? "'\\''" : std::string{letter};
  std::string script{course_program};
  constexpr std::string_view placeholder = "PROGRAM";
  return script.replace(script.find(placeholder), placeholder.size(), quoted);
}

std::string first_lab_in(const fs::path& course) {
  std::string first = "99";
  for (const auto& lab : fs::directory_iterator(course / "labs"))
    if (const auto name = lab.path().filename().string(); name < first && exists(lab.path() / "kernel.cu"))
      first = name.substr(0, 2);
  return first;
}

void start(const fs::path& folder, const fs::path& source, bool with_solutions) {
  if (fs::exists(folder) && (!fs::is_directory(folder) || !fs::is_empty(folder)))
    throw usage_error(fmt::format("{} is not empty; name a new folder", folder.string()));
  if (with_solutions && !exists(source / "solutions"))
    throw usage_error(fmt::format("{} has no solutions; leave out --with", source.string()));
  std::error_code why;
  fs::create_directories(folder, why);
  if (why) throw write_error(folder, why);
  copy_tree(source / "labs", folder / "labs");
  if (with_solutions) copy_tree(source / "solutions", folder / "solutions");
  copy_starters(source, folder);
  write_atomically(folder / "lab", launcher());
  fs::permissions(folder / "lab", fs::perms{0755});
  write_atomically(folder / lab::course_mark, fmt::format("{}\n", lab::version()));
  fmt::print(
      "{0} is your course{1}. Next:\n  cd {0}\n  ./lab watch {2}   read labs/{2}_*/README.md, edit "
      "labs/{2}_*/kernel.cu\n",
      folder.string(), with_solutions ? ", with the solutions" : "", first_lab_in(folder));
}

void add_start(command_line app, int&) {
  auto command = app.add_subcommand("start", "Make a folder for your course: lessons and starters, without solutions");
  auto folder = std::make_shared<std::string>();
  auto with = std::make_shared<std::string>(), course = std::make_shared<std::string>();
  command.add_option("folder", *folder, "a new or empty folder").required().type_name("DIR");
  command.add_option("--with", *with, "also copy the solutions").type_name("solutions").one_of({"solutions"});
  command
      .add_option("--course", *course, "copy another course: a folder with labs/, or an installed one of `lab courses`")
      .type_name("NAME|DIR");
  command.footer("Example: ./lab start mycourse && cd mycourse && ./lab check 01");
  command.callback([folder, with, course] {
    start(*folder, course->empty() ? lab::here().home : course_folder(*course), !with->empty());
  });
}

const command_registration registered_start{audience::learn, add_start};

}  // namespace

}  // namespace lab::cli
