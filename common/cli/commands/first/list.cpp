#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/progress/lab_sequence.hpp"
#include "cli/progress/progress.hpp"

namespace lab::cli {

namespace {

nlohmann::json stages_of(const entry& lab) {
  const auto done = recall(lab.name).stages;
  auto all = nlohmann::json::array();
  for (const auto& stage : lab.definition.stages) {
    const int number = static_cast<int>(all.size()) + 1;
    all.push_back({{"stage", number}, {"title", stage.title}, {"state", done.contains(number) ? "passed" : "todo"}});
  }
  return all;
}

nlohmann::json launchers_of(const entry& lab) {
  auto all = nlohmann::json::array();
  for (const auto& launcher : lab.definition.launchers) {
    auto sizes = nlohmann::json::array();
    for (const auto& size : launcher.check_sizes) sizes.push_back(size.name());
    all.push_back({{"launcher", launcher.name}, {"check_sizes", sizes}});
  }
  return all;
}

void list_as_json() {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& lab : labs())
    all.push_back({{"lab", lab.name},
                   {"title", lab.definition.title},
                   {"idea", lab.definition.idea},
                   {"backends", lab.definition.backends},
                   {"least_capability", lab.definition.least_capability / 10.0},
                   {"launchers", launchers_of(lab)},
                   {"stages", stages_of(lab)},
                   {"state", recall(lab.name).passed ? "passed" : "todo"}});
  fmt::print("{}\n", nlohmann::json{{"schema", 1}, {"labs", all}}.dump(1));
}

void add_list(command_line app, int&) {
  auto command = app.add_subcommand("list", "List the labs and your progress");
  auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "print one JSON document and nothing else");
  command.footer("Example: ./lab list --json");
  command.callback([json] {
    if (*json) return list_as_json();
    const terminal out{false, false};
    print_labs(out);
    out.print(progress_bar(out));
  });
}

const command_registration registered_list{audience::learn, add_list};

}  // namespace

}  // namespace lab::cli
