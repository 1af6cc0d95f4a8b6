#include <fmt/format.h>

#include <sstream>

#include "cli/command.hpp"
#include "cli/lab_choice.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "support/installation.hpp"
#include "text/counted.hpp"
#include "text/text_file.hpp"
#include "text/wrap.hpp"

namespace lab::cli {

namespace {

namespace fs = std::filesystem;

// The sections of hints.md, each from one "## " heading to the next. The judge reads the HTML comments; they are cut.
std::vector<std::string> hints_of(const std::string& lab) {
  const auto file = lab::here().root / "labs" / lab / "hints.md";
  if (!fs::exists(file)) return {};
  std::vector<std::string> hints;
  std::istringstream text{lab::read_whole(file)};
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) {
      line = line.substr(3, line.find(" <!--") - 3);
      hints.emplace_back();
    }
    if (!hints.empty()) hints.back() += line + "\n";
  }
  return hints;
}

}  // namespace

void show_hint(const std::string& which, int wanted) {
  const auto& lab = chosen_lab(which);
  const auto hints = hints_of(lab.name);
  if (hints.empty()) throw usage_error(fmt::format("{} has no hints", lab.name));
  const int last = static_cast<int>(hints.size());
  const int number = wanted > 0 ? wanted : std::min(recall(lab.name).hints + 1, last);
  if (number > last)
    throw usage_error(fmt::format("{} has {}; there is no hint {}", lab.name, counted(last, "hint"), number));
  const terminal out{false, false};
  out.print(joined_paragraphs(hints[number - 1].substr(0, hints[number - 1].find_last_not_of('\n') + 1)));
  if (number < last)
    out.print(
        fmt::format("\n({} of {}; next hint: ./lab hint {} {})", number, last, lab.name.substr(0, 2), number + 1));
  else
    out.print(fmt::format("\n({} of {}; solutions/{}/README.md explains the solution)", number, last, lab.name));
  remember(lab.name, [number](progress& p) { p.hints = std::max(p.hints, number); });
}

static void add_hint(CLI::App& app, int&) {
  auto* command = app.add_subcommand("hint", "Print a lab's next hint, or the hint with a given number");
  auto which = std::make_shared<std::string>();
  auto wanted = std::make_shared<int>(0);
  command->add_option("lab", *which, lab_argument)->required()->type_name("NN");
  command->add_option("number", *wanted, "number of the hint (default: the next one)")->check(CLI::PositiveNumber);
  command->footer("Example: ./lab hint 03");
  command->callback([which, wanted] { show_hint(*which, *wanted); });
}

namespace {

const command_registration registered{audience::learn, add_hint};

}  // namespace

}  // namespace lab::cli
