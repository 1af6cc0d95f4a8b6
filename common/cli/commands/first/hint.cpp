#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/lab_choice.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "diagnosis/hints.hpp"
#include "text/counted.hpp"
#include "text/wrap.hpp"

namespace lab::cli {

namespace {

bool belongs_to(const judge::hint& one, const entry& lab) {
  return one.launcher.empty() || std::ranges::count(lab.definition.launchers, one.launcher, &launcher_spec::name) > 0;
}

// The numbers of the hints for a lab or for one of its stages.
std::vector<int> numbers_for(const entry& lab, const std::vector<judge::hint>& hints) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < hints.size(); ++i)
    if (belongs_to(hints[i], lab)) numbers.push_back(static_cast<int>(i) + 1);
  return numbers;
}

// The first that was not shown yet; the last if all were.
int next_of(const std::vector<int>& numbers, int shown) {
  const auto next = std::ranges::upper_bound(numbers, shown);
  return next == numbers.end() ? numbers.back() : *next;
}

// "hints 4, 5 and 6"
std::string listed(const std::string& what, const std::vector<int>& numbers) {
  if (numbers.size() == 1) return fmt::format("{} {}", what, numbers.front());
  const std::vector<int> first(numbers.begin(), numbers.end() - 1);
  return fmt::format("{}s {} and {}", what, fmt::join(first, ", "), numbers.back());
}

std::string without_empty_lines_around(const std::string& text) {
  const auto first = text.find_first_not_of('\n'), last = text.find_last_not_of('\n');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// "./lab hint 01.2 4": with the stage that the hint is for, or the one asked for if the hint is for all.
std::string command_for(const entry& lab, const judge::hint& one, int number) {
  return fmt::format("./lab hint {} {}", one.launcher.empty() ? number_of(lab) : number_of(lab.name, one.launcher),
                     number);
}

void require_hint(const entry& lab, const std::vector<judge::hint>& hints, const std::vector<int>& numbers,
                  int number) {
  if (number > static_cast<int>(hints.size()))
    throw usage_error(fmt::format("{} has {}; there is no hint {}", lab.name, counted(hints.size(), "hint"), number));
  const auto& wanted = hints[number - 1];
  if (!belongs_to(wanted, lab))
    throw usage_error(fmt::format("hint {} is of stage {}: {}; stage {} has {}", number,
                                  stage_with(lab.definition, wanted.launcher), command_for(lab, wanted, number),
                                  lab.stage, listed("hint", numbers)));
}

// ", the last of stage 1", or nothing.
std::string end_of_stage(const entry& lab, const std::vector<judge::hint>& hints, int number) {
  const int stage = stage_with(lab.definition, hints[number - 1].launcher);
  const bool last = stage > 0 && numbers_for(stage_of(find(lab.name), stage), hints).back() == number;
  return last && number < static_cast<int>(hints.size()) ? fmt::format(", the last of stage {}", stage) : "";
}

}  // namespace

void show_hint(const std::string& which, int wanted) {
  const auto& lab = chosen_lab_or_stage(which);
  const auto hints = judge::hints_of(lab.name);
  const auto numbers = numbers_for(lab, hints);
  if (numbers.empty()) throw usage_error(fmt::format("{} has no hints", lab.name));
  const int number = wanted > 0 ? wanted : next_of(numbers, recall(lab.name).hints);
  require_hint(lab, hints, numbers, number);
  const auto& shown = hints[number - 1];
  const terminal out{false, false};
  out.print(joined_paragraphs(fmt::format("{}\n\n{}", shown.title, without_empty_lines_around(shown.text))));
  const int next = next_of(numbers, number);
  out.print(fmt::format("\n({} of {}{}; {})", number, hints.size(), end_of_stage(lab, hints, number),
                        next > number ? "next hint: " + command_for(lab, hints[next - 1], next)
                                      : fmt::format("solutions/{}/README.md explains the solution", lab.name)));
  remember(lab.name, [number](progress& p) { p.hints = std::max(p.hints, number); });
}

static void add_hint(command_line app, int&) {
  auto command =
      app.add_subcommand("hint", "Print the next hint of a lab or of a stage, or the hint with a given number");
  auto which = std::make_shared<std::string>();
  auto wanted = std::make_shared<int>(0);
  command.add_option("lab", *which, lab_argument).required().type_name("NN");
  command.add_option("number", *wanted, "number of the hint (default: the next one)").positive();
  command.footer("Example: ./lab hint 03\n         ./lab hint 01.2\n         ./lab hint 01.2 5");
  command.callback([which, wanted] { show_hint(*which, *wanted); });
}

namespace {

const command_registration registered_hint{audience::start, add_hint};

}  // namespace

}  // namespace lab::cli
