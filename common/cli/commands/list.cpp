#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/progress/course.hpp"
#include "cli/progress/progress.hpp"

namespace lab::cli {

namespace {

void list_as_json() {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& e : labs())
    all.push_back({{"lab", e.name},
                   {"title", e.definition.title},
                   {"idea", e.definition.idea},
                   {"backends", e.definition.backends},
                   {"state", recall(e.name).passed ? "passed" : "todo"}});
  fmt::print("{}\n", nlohmann::json{{"schema", 1}, {"labs", all}}.dump(1));
}

void add_list(CLI::App& app, int&) {
  auto* command = app.add_subcommand("list", "Show the labs and how far you are");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print one JSON document and nothing else");
  command->footer("Example: ./lab list --json");
  command->callback([json] {
    if (*json) return list_as_json();
    const terminal t{false, false};
    print_course(t);
    t.print(progress_bar(t));
  });
}

const command_registration registered{audience::learn, add_list};

}  // namespace

}  // namespace lab::cli
