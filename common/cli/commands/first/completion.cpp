#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/command.hpp"
#include "cli/shared_commands.hpp"
#include "support/installation.hpp"
#include "text/text_file.hpp"
#include "trace/glossary.hpp"

namespace lab::cli {

namespace {

std::vector<std::string> lab_names() {
  std::vector<std::string> names{"all"};
  for (const auto& lab : labs()) {
    names.push_back(number_of(lab));
    for (std::size_t stage = 1; stage <= lab.definition.stages.size(); ++stage)
      names.push_back(fmt::format("{}.{}", number_of(lab), stage));
  }
  return names;
}

std::vector<std::string> arguments_of(const std::vector<std::string>& options) {
  if (std::ranges::count(options, "lab") > 0) return lab_names();
  if (std::ranges::count(options, "word") == 0) return {};
  std::set<std::string> words;
  for (const auto& explanation : judge::explanations()) words.emplace(explanation.word);
  return {words.begin(), words.end()};
}

// What may stand in place of the last of the words; the words before it are complete.
std::vector<std::string> candidates(const command_line& app, const std::vector<std::string>& words) {
  if (words.size() <= 1) return app.commands();
  auto options = app.option_names(words.front());
  if (!words.back().starts_with("-")) return arguments_of(options);
  std::erase_if(options, [](const std::string& name) { return !name.starts_with("--"); });
  return options;
}

}  // namespace

void complete(const command_line& app, const std::vector<std::string>& words) {
  for (const auto& word : candidates(app, words))
    if (words.empty() || word.starts_with(words.back())) fmt::print("{}\n", word);
}

namespace {

void add_completion(command_line app, int&) {
  auto command = app.add_subcommand("completion", "Print a script that lets bash or zsh complete commands and labs");
  auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "bash or zsh").required().one_of({"bash", "zsh"});
  command.footer("Example: eval \"$(./lab completion bash)\"");
  command.callback(
      [shell] { fmt::print("{}", lab::read_whole(lab::here().home / "common" / "cli" / "completion" / *shell)); });
}

const command_registration registered_completion{audience::learn, add_completion};

}  // namespace

}  // namespace lab::cli
