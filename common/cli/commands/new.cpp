#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "build/course.hpp"
#include "cli/command.hpp"
#include "cli/progress/progress.hpp"
#include "support/installation.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace {

namespace fs = std::filesystem;

fs::path template_folder() { return lab::here().home / "common" / "cli" / "new_lab"; }

// "40_scan" gives "scan".
std::string title_of(const std::string& name) {
  auto words = name.substr(3);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string filled(std::string text, const std::string& name) {
  const std::pair<std::string, std::string> placeholders[] = {
      {"NN_name", name}, {"NN", name.substr(0, 2)}, {"TITLE", title_of(name)}};
  for (const auto& [placeholder, value] : placeholders)
    for (auto at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder, at + value.size()))
      text.replace(at, placeholder.size(), value);
  return text;
}

void require_free(const std::string& name) {
  if (!std::regex_match(name, std::regex{"[0-9][0-9]_[a-z][a-z0-9_]*"}))
    throw usage_error(fmt::format("new: \"{}\" is not two digits, _ and a name in lower case, such as 40_scan", name));
  std::error_code ignored;  // a student's course lacks some of them
  for (const auto* tree : {"labs", "solutions", "tests/mutants"})
    for (const auto& there : fs::directory_iterator(lab::here().root / tree, ignored))
      if (there.path().filename().string().starts_with(name.substr(0, 3)))
        throw usage_error(fmt::format("new: {1} uses the number {0} already; choose another", name.substr(0, 2),
                                      fs::relative(there.path(), lab::here().root).string()));
}

void make(const std::string& name) {
  judge::require_course();
  require_free(name);
  for (const auto& [from, to] : {std::pair{"lab", "labs"}, {"solution", "solutions"}, {"mutants", "tests/mutants"}})
    for (const auto& file : fs::directory_iterator(template_folder() / from))
      write_atomically(lab::here().root / to / name / file.path().filename(),
                       filled(lab::read_whole(file.path()), name));
  // The student edits one copy of the starter; `lab reset` restores it from the other.
  const auto root = lab::here().root;
  write_atomically(root / "solutions" / name / "starter.cu", lab::read_whole(root / "labs" / name / "kernel.cu"));
  fmt::print("{}", filled(lab::read_whole(template_folder() / "next_steps.txt"), name));
}

}  // namespace

static void add_new(command_line app, int&) {
  auto command = app.add_subcommand("new", "Create a new lab from a template that works");
  auto name = std::make_shared<std::string>();
  command.add_option("name", *name, "two digits, _ and a name in lower case, such as 40_scan")
      .required()
      .type_name("NN_name");
  command.footer("Example: ./lab new 40_scan");
  command.callback([name] { make(*name); });
}

namespace {

const command_registration registered_new{audience::write_labs, add_new};

}  // namespace

}  // namespace lab::cli
