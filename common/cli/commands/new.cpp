#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "cli/command.hpp"
#include "cli/progress/progress.hpp"
#include "support/installation.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace {

namespace fs = std::filesystem;

fs::path template_folder() { return lab::here().root / "common" / "cli" / "new_lab"; }

// "40_scan" gives "scan".
std::string words_of(const std::string& name) {
  auto words = name.substr(3);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string filled(std::string text, const std::string& name) {
  const std::pair<std::string, std::string> places[] = {
      {"NN_name", name}, {"NN", name.substr(0, 2)}, {"TITLE", words_of(name)}};
  for (const auto& [place, value] : places)
    for (auto at = text.find(place); at != std::string::npos; at = text.find(place, at + value.size()))
      text.replace(at, place.size(), value);
  return text;
}

void require_free(const std::string& name) {
  if (!std::regex_match(name, std::regex{"[0-9][0-9]_[a-z][a-z0-9_]*"}))
    throw usage_error(
        fmt::format("new: \"{}\" is not two digits, _ and a name in small letters, such as 40_scan", name));
  for (const auto* tree : {"labs", "solutions", "tests/mutants"})
    for (const auto& there : fs::directory_iterator(lab::here().root / tree))
      if (there.path().filename().string().starts_with(name.substr(0, 3)))
        throw usage_error(fmt::format("new: the number {} is taken by {}", name.substr(0, 2),
                                      fs::relative(there.path(), lab::here().root).string()));
}

void make(const std::string& name) {
  require_free(name);
  for (const auto& [from, to] : {std::pair{"lab", "labs"}, {"solution", "solutions"}, {"mutants", "tests/mutants"}})
    for (const auto& file : fs::directory_iterator(template_folder() / from))
      write_atomically(lab::here().root / to / name / file.path().filename(),
                       filled(lab::read_whole(file.path()), name));
  // The starter lies in both folders, one to be edited and one to come back to.
  const auto root = lab::here().root;
  write_atomically(root / "solutions" / name / "starter.cu", lab::read_whole(root / "labs" / name / "kernel.cu"));
  fmt::print(
      "made labs/{0}, solutions/{0} and tests/mutants/{0}: a small lab that works; make it yours.\n"
      "  ./lab check {1}              fails, as a starter must\n"
      "  ./lab check {1} --solution   passes\n"
      "  ./lab lint {1}               do its cases refuse lazy answers?\n"
      "CONTRIBUTING.md says what belongs where, and what the tests demand.\n",
      name, name.substr(0, 2));
}

}  // namespace

static void add_new(CLI::App& app, int&) {
  auto* command = app.add_subcommand("new", "Make the folders of a new lab, from a template that works");
  auto name = std::make_shared<std::string>();
  command->add_option("name", *name, "two digits, _ and a name: 40_scan")->required()->type_name("NN_name");
  command->footer("Example: ./lab new 40_scan");
  command->callback([name] { make(*name); });
}

namespace {

const command_registration registered{audience::write_labs, add_new};

}  // namespace

}  // namespace lab::cli
